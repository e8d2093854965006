// The C calls of Contacts: the pairs of a frame, and which of them began and ended.
#include "../../parallel/frames/contacts.hpp"

#include "../arrays.hpp"
#include "../executor.hpp"
#include "../held.hpp"
#include "../pairing.hpp"
#include "../structs.hpp"
#include "crowd.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <variant>

namespace throng::c {

static_assert(sizeof(throng_contact) == sizeof(Contact) &&
              offsetof(throng_contact, first) == offsetof(Contact, first) &&
              offsetof(throng_contact, second) == offsetof(Contact, second));
static_assert(THRONG_NO_CONTACT == kNoContact);

/// Contacts of crowds of one dimension, which is that of the first crowd.
class ContactsObject {
public:
    explicit ContactsObject(std::shared_ptr<Executor> executor) noexcept
        : executor_(std::move(executor)) {}

    template <std::size_t Dim>
    [[nodiscard]] Contacts<Dim>& of() {
        if (std::holds_alternative<std::monostate>(frames_)) {
            // Not emplace(): it would leave no value if memory runs out.
            frames_ = Contacts<Dim>(*executor_);
        }
        auto* const frames = std::get_if<Contacts<Dim>>(&frames_);
        if (frames == nullptr) { refuse(THRONG_WRONG_DIMENSION, "crowd"); }
        return *frames;
    }
    /// Calls call(contacts) if there are any yet.
    template <class Call>
    void visit(const Call& call) {
        if (auto* const plane = std::get_if<Contacts<2>>(&frames_)) { call(*plane); }
        if (auto* const space = std::get_if<Contacts<3>>(&frames_)) { call(*space); }
    }

private:
    std::shared_ptr<Executor> executor_; // declared before the objects that borrow it
    std::variant<std::monostate, Contacts<2>, Contacts<3>> frames_;
};

template <>
struct Held<throng_contacts> {
    using Object = ContactsObject;
    static constexpr Kind kKind = Kind::contacts;
};

namespace {

const throng_contact* in_c(std::span<const Contact> pairs) noexcept {
    return reinterpret_cast<const throng_contact*>(pairs.data());
}

template <std::size_t Dim>
void show(const Contacts<Dim>& contacts, throng_contact_frame& frame) noexcept {
    frame.pairs = in_c(contacts.pairs());
    frame.previous = contacts.previous().data();
    frame.pair_count = contacts.pairs().size();
    frame.began = contacts.began().data();
    frame.began_count = contacts.began().size();
    frame.ended = in_c(contacts.ended());
    frame.ended_previous = contacts.ended_previous().data();
    frame.ended_count = contacts.ended().size();
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_contacts_create(throng_executor* executor, throng_contacts** out) {
    return guarded([&] {
        auto on = executor_for(executor);
        check_out(out, "out");
        hand_out(std::make_unique<ContactsObject>(std::move(on)), *out);
        return kOk;
    });
}

throng_status throng_contacts_destroy(throng_contacts* contacts) {
    return end(contacts, "contacts");
}

throng_status throng_contacts_update(throng_contacts* contacts, const throng_crowd* crowd,
                                     const throng_pairing* pairing, throng_contact_frame* out) {
    return guarded([&] {
        ContactsObject& object = look_up(contacts, "contacts");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const Pairing wanted(pairing);
        throng_contact_frame frame = read(out, "out");
        const throng::Status status = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            throng::Contacts<Dim>& frames = object.of<Dim>();
            const throng::Status outcome = wanted.update(frames, of);
            if (outcome.ok()) { show(frames, frame); }
            return outcome;
        });
        if (status.ok()) { write(frame, out); }
        return status_of(status, kPairing);
    });
}

throng_status throng_contacts_clear(throng_contacts* contacts) {
    return guarded([&] {
        look_up(contacts, "contacts").visit([](auto& frames) { frames.clear(); });
        return kOk;
    });
}

throng_status throng_contacts_memory(const throng_contacts* contacts, uint64_t* bytes) {
    return guarded([&] {
        ContactsObject& object = look_up(contacts, "contacts");
        check_out(bytes, "bytes");
        *bytes = 0;
        object.visit([&](const auto& frames) { *bytes = frames.memory(); });
        return kOk;
    });
}

throng_status throng_contacts_release(throng_contacts* contacts) {
    return guarded([&] {
        look_up(contacts, "contacts").visit([](auto& frames) { frames.release(); });
        return kOk;
    });
}
