// What all moves have in common: they are evaluated first and applied second.
//
// `evaluate` leaves the state alone. It returns the move, with the change in cost that it makes, if the
// move is feasible and that change is below a limit. `apply` needs the state as it was evaluated.
#pragma once

#include <concepts>
#include <optional>

#include "../expect.hpp"
#include "../state.hpp"

namespace splitroute {

template <class T>
concept Move = requires(const T& move, State<Plain>& state) {
    { move.change } -> std::convertible_to<Cost>;
    move.apply(state);
};

template <Move M>
void apply(State<Plain>& state, const M& move) {
    [[maybe_unused]] const Cost before = state.cost();
    move.apply(state);
    EXPECT(state.cost() == before + move.change);
}

// Applies the move if there is one; returns whether there was.
template <Move M>
bool apply(State<Plain>& state, const std::optional<M>& move, double) {
    if (move) apply(state, *move);
    return move.has_value();
}

// With rules, evaluating is a first look; what a move really costs, and whether it is allowed, shows when
// the routes are settled.
template <Move M>
bool apply(State<Rich>& state, const std::optional<M>& move, double limit) {
    if (!move) return false;
    const auto before = state.mark();
    move->apply(state);
    if (state.settle() && static_cast<double>(state.cost() - before.cost) < limit) return true;
    state.undo_to(before);
    return false;
}

}  // namespace splitroute
