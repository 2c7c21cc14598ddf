// A log of old values, with which changes are undone.
#pragma once

#include <cstddef>
#include <vector>

namespace splitroute {

template <class T>
class Journal {
public:
    explicit Journal(std::size_t reserved) : changes_(reserved) {}

    std::size_t size() const { return size_; }
    void clear() { size_ = 0; }

    void log(T& where) {
        if (size_ == changes_.size()) grow();
        changes_[size_++] = {&where, where};
    }
    // Writes back the old values, the latest first, until only `size` changes are left.
    void undo_to(std::size_t size) {
        while (size_ > size) {
            const Change& change = changes_[--size_];
            *change.where = change.old;
        }
    }

private:
    struct Change {
        T* where;
        T old;
    };

    // Apart from log(), which is inlined in many places.
    [[gnu::noinline]] void grow() { changes_.resize(2 * changes_.size()); }

    std::vector<Change> changes_;
    std::size_t size_ = 0;
};

}  // namespace splitroute
