// An assertion of the checking build, which compares every move with a recomputation.
#pragma once

#ifdef SPLITROUTE_CHECKS
#include <cstdio>
#include <cstdlib>
#define EXPECT(condition)                                                                  \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            std::fprintf(stderr, "%s:%d: expected: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                                  \
        }                                                                                  \
    } while (false)
#else
#define EXPECT(condition) static_cast<void>(0)
#endif
