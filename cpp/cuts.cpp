#include "cuts.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace splitroute {

namespace {
constexpr double tiny = 1e-6;
constexpr double promising = -0.3;  // violation of sets worth remembering
constexpr int rest = 8;             // exchanges before a customer may change sides again
constexpr double never = -std::numeric_limits<double>::infinity();

int common(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    int count = 0;
    for (std::size_t k = 0; k < a.size(); ++k) count += std::popcount(a[k] & b[k]);
    return count;
}
}  // namespace

Separation::Separation(const Support& support, std::uint64_t seed, double seconds)
    : support_(support), random_(seed),
      until_(Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
      n_(static_cast<int>(support.visits.size())), bits_((n_ + 63) / 64), into_(n_), seen_(n_),
      rests_until_(n_) {
    for (int c = 0; c < n_; ++c) names_.push_back(random_.next());
}

void Separation::clear() {
    for (int c : touched_) into_[c] = 0, seen_[c] = 0, rests_until_[c] = 0;
    touched_.clear();
    std::fill(bits_.begin(), bits_.end(), 0);
    name_ = 0;
    load_ = 0;
    slack_ = 0;
}

void Separation::turn(int customer) {
    const int way = inside(customer) ? -1 : 1;
    bits_[customer / 64] ^= std::uint64_t{1} << (customer % 64);
    name_ += way > 0 ? names_[customer] : -names_[customer];
    load_ += way * support_.demands[customer];
    slack_ += way * (support_.visits[customer] - into_[customer]);
    const auto touch = [&](int c) {
        if (!seen_[c]) seen_[c] = 1, touched_.push_back(c);
    };
    touch(customer);
    for (const auto& edge : support_.edges[customer]) {
        into_[edge.to] += way * edge.flow;
        touch(edge.to);
    }
}

double Separation::violation() const { return static_cast<double>(vehicles(load_)) - slack_; }

void Separation::note() {
    if (violation() > promising) met_.try_emplace(name_, Met{violation(), bits_});
}

void Separation::grow(double noise) {
    for (int seed = 0; seed < n_ && !over(); ++seed) {
        clear();
        for (int next = seed; next >= 0;) {
            turn(next);
            note();
            double best = never;
            next = -1;
            for (int c : touched_) {
                if (inside(c) || into_[c] < tiny) continue;
                const double score = into_[c] - support_.visits[c] + noise * random_.unit();
                if (score > best) best = score, next = c;
            }
        }
    }
}

void Separation::exchange(const std::vector<std::int32_t>& set, int exchanges) {
    if (over()) return;
    clear();
    for (int c : set) turn(c);
    note();
    for (int now = 1; now <= exchanges; ++now) {
        double best = never;
        int chosen = -1;
        for (int c : touched_) {
            const int way = inside(c) ? -1 : 1;
            if (rests_until_[c] > now || (way > 0 && into_[c] < tiny)) continue;
            const double need = static_cast<double>(vehicles(load_ + way * support_.demands[c]));
            const double value = need - way * (support_.visits[c] - into_[c]) + 1e-3 * random_.unit();
            if (value > best) best = value, chosen = c;
        }
        if (chosen < 0) return;
        rests_until_[chosen] = now + rest;
        turn(chosen);
        note();
    }
}

void Separation::exchange_best(int sets, int exchanges) {
    for (const auto& set : best(sets, promising, 0.7)) exchange(set, exchanges);
}

std::vector<std::vector<std::int32_t>> Separation::best(int most, double violated, double alike) const {
    std::vector<const Met*> order;
    for (const auto& [name, met] : met_)
        if (met.violation > violated) order.push_back(&met);
    std::sort(order.begin(), order.end(), [](const Met* a, const Met* b) {
        return a->violation != b->violation ? a->violation > b->violation : a->bits < b->bits;
    });
    std::vector<const Met*> kept;
    std::vector<int> sizes;
    for (const Met* met : order) {
        if (static_cast<int>(kept.size()) == most) break;
        const int size = common(met->bits, met->bits);
        bool fresh = true;
        for (std::size_t k = 0; fresh && k < kept.size(); ++k) {
            const int both = common(kept[k]->bits, met->bits);
            fresh = both <= alike * (size + sizes[k] - both);
        }
        if (fresh) kept.push_back(met), sizes.push_back(size);
    }
    std::vector<std::vector<std::int32_t>> sets;
    for (const Met* met : kept) {
        auto& set = sets.emplace_back();
        for (int c = 0; c < n_; ++c)
            if (met->bits[c / 64] >> (c % 64) & 1) set.push_back(c);
    }
    return sets;
}

}  // namespace splitroute
