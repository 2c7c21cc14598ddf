// A request to end early, made in another thread.
#pragma once

#include <atomic>

namespace splitroute {

// What takes long before there is a solution ends early when it is requested to, with what there is.
class Cancellation {
public:
    void request() { is_requested_.store(true, std::memory_order_relaxed); }
    bool is_requested() const { return is_requested_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> is_requested_ = false;
};

}  // namespace splitroute
