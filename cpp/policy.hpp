// The two kinds of instances for which the search is compiled.
#pragma once

namespace splitroute {

// One kind of vehicle at one depot, and nothing but capacity to respect.
struct Plain {
    static constexpr bool is_rich = false;
};

// All of rules.hpp.
struct Rich {
    static constexpr bool is_rich = true;
};

}  // namespace splitroute
