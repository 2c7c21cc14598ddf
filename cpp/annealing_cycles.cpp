// What every cooling cycle after the first starts from.
#include <algorithm>
#include <utility>

#include "annealing.hpp"
#include "construct.hpp"
#include "recombination.hpp"

namespace splitroute {

namespace {
constexpr int max_elites = 8;
}  // namespace

template <class Policy>
void Annealing<Policy>::offer(const Routes& routes) {
    if constexpr (Policy::is_rich) adopt(routes);
    else add_elite({cost_of(instance_, routes), routes});
}

template <class Policy>
void Annealing<Policy>::end_cycle() {
    if constexpr (!Policy::is_rich) {
        has_stalled_ = !elites_.empty() && best_cost_ >= elites_.front().cost;
        add_elite({best_cost_, best_of_cycle()});
    }
}

// Solutions of equal cost are taken for the same one.
template <class Policy>
void Annealing<Policy>::add_elite(Elite elite) {
    const auto at = std::lower_bound(elites_.begin(), elites_.end(), elite,
                                     [](const Elite& a, const Elite& b) { return a.cost < b.cost; });
    if (at != elites_.end() && at->cost == elite.cost) return;
    elites_.insert(at, std::move(elite));
    if (static_cast<int>(elites_.size()) > max_elites) elites_.pop_back();
}

// Usually the best solution; if the last cycle has not improved it, also a combination of two good ones.
template <class Policy>
void Annealing<Policy>::begin_cycle() {
    if constexpr (Policy::is_rich) {
        adopt(best());
        choose_fleet();
    } else {
        inserter_.set_max_routes(instance_.max_vehicles());
        if (settings_.close_routes && close_route()) return;
        if (has_stalled_ && elites_.size() > 1 && random_.chance(settings_.recombination_probability))
            recombine();
        else adopt(best());
    }
}

template <class Policy>
void Annealing<Policy>::recombine()
    requires(!Policy::is_rich)
{
    const int count = static_cast<int>(elites_.size());
    const int a = random_.low(count);
    int b = random_.low(count - 1);
    if (b >= a) ++b;
    construct(state_, inserter_, recombined(instance_, elites_[a].routes, elites_[b].routes, random_));
    adopt(state_.routes());
}

// Confines the cycle to one route fewer than the best solution has, unless that was tried before or the cycle
// is the last. Single changes hardly ever close a route: that takes room on others, which have very little.
template <class Policy>
bool Annealing<Policy>::close_route()
    requires(!Policy::is_rich)
{
    if (cycle_ + 1 == schedule_.cycles()) return false;
    Routes routes = best();
    const int fewer = static_cast<int>(routes.size()) - 1;
    if (!instance_.allows_splitting() || fewer < instance_.min_routes() || fewer >= tried_routes_)
        return false;
    tried_routes_ = fewer;
    const auto has_less = [](const Route& a, const Route& b) { return load_of(a) < load_of(b); };
    routes.erase(std::min_element(routes.begin(), routes.end(), has_less));
    inserter_.set_max_routes(fewer);
    construct(state_, inserter_, routes);
    adopt(state_.routes());
    return true;
}

template void Annealing<Plain>::offer(const Routes&);
template void Annealing<Rich>::offer(const Routes&);
template void Annealing<Plain>::end_cycle();
template void Annealing<Rich>::end_cycle();
template void Annealing<Plain>::begin_cycle();
template void Annealing<Rich>::begin_cycle();

}  // namespace splitroute
