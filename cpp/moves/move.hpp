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
concept Move = requires(const T& move, State& state) {
    { move.change } -> std::convertible_to<Cost>;
    move.apply(state);
};

template <Move M>
void apply(State& state, const M& move) {
    [[maybe_unused]] const Cost before = state.cost();
    move.apply(state);
    EXPECT(state.cost() == before + move.change);
}

// Applies the move if there is one; returns whether there was.
template <Move M>
bool apply(State& state, const std::optional<M>& move) {
    if (move) apply(state, *move);
    return move.has_value();
}

}  // namespace splitroute
