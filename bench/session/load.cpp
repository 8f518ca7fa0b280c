// The client of the acceptor bench: FIX sessions that each keep a number of NewOrderSingle(D) unanswered, on one thread
// that waits in epoll and allocates nothing while it measures, so that what is measured is the server.
//
//   load PORT SESSIONS IN_FLIGHT ORDERS
//
// Every reply must be an ExecutionReport(8) for the oldest unanswered order of its session, with the next MsgSeqNum(34);
// anything else ends the program with status 1. Prints one line of JSON.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace {

constexpr char soh = '\001';
constexpr int idDigits = 9;
constexpr int trailerBytes = 7;

[[noreturn]] void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  exit(1);
}

uint64_t nowNs() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

/** SendingTime(52) and TransactTime(60) of this millisecond. */
const char *utcNow() {
  static char text[32];
  static int64_t textMs = -1;
  const int64_t ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
  if (ms == textMs) return text;
  textMs = ms;
  const time_t second = ms / 1000;
  tm parts;
  gmtime_r(&second, &parts);
  const size_t length = strftime(text, sizeof text, "%Y%m%d-%H:%M:%S", &parts);
  snprintf(text + length, sizeof text - length, ".%03d", int(ms % 1000));
  return text;
}

void putDigits(char *at, uint64_t value) {
  for (int i = idDigits - 1; i >= 0; i--, value /= 10) at[i] = char('0' + value % 10);
}

/** A message of which only the number, the id and the times change; `#` holds digits and `@` a time. */
class Template {
  std::string text;
  std::vector<size_t> numbers, times;

 public:
  Template(const std::string &type, const std::string &sender, const std::string &fields) {
    std::string body = "35=" + type + "|34=#|49=" + sender + "|52=@|56=SERVER|" + fields;
    for (size_t at = 0; (at = body.find('#', at)) != std::string::npos;)
      body.replace(at, 1, std::string(idDigits, '0'));
    for (size_t at = 0; (at = body.find('@', at)) != std::string::npos;)
      body.replace(at, 1, utcNow());
    std::replace(body.begin(), body.end(), '|', soh);
    text = std::string("8=FIX.4.4") + soh + "9=" + std::to_string(body.size()) + soh + body;
    for (const char *tag : {"\00134=", "\00111="})
      if (const size_t at = text.find(tag); at != std::string::npos) numbers.push_back(at + 4);
    for (const char *tag : {"\00152=", "\00160="})
      if (const size_t at = text.find(tag); at != std::string::npos) times.push_back(at + 4);
  }

  size_t size() const { return text.size() + trailerBytes; }

  void write(char *out, uint64_t seq) const {
    memcpy(out, text.data(), text.size());
    for (const size_t at : numbers) putDigits(out + at, seq);
    for (const size_t at : times) memcpy(out + at, utcNow(), 21);
    unsigned sum = 0;
    for (size_t i = 0; i < text.size(); i++) sum += (unsigned char)out[i];
    char trailer[16];
    snprintf(trailer, sizeof trailer, "10=%03u%c", sum % 256, soh);
    memcpy(out + text.size(), trailer, trailerBytes);
  }
};

uint64_t inFlight = 1;

struct Session {
  int socket;
  Template order;
  /** When the orders left that are unanswered, by their numbers. */
  std::vector<uint64_t> sentNs;
  std::vector<char> out, in = std::vector<char>(1 << 20);
  size_t outSent = 0, inLength = 0;
  /** MsgSeqNum(34) of the next order and of the next reply; both logons have 1, and ClOrdID(11) is the order's number. */
  uint64_t nextOut = 2, nextIn = 1;

  Session(int socket, const std::string &name)
      : socket(socket),
        order("D", name, "11=#|21=1|55=BTC-USDC|54=1|60=@|38=10|40=2|44=50000.10|59=1|"),
        sentNs(inFlight + 1) {}
};

std::vector<Session> sessions;
std::vector<uint64_t> latenciesNs;
uint64_t sent = 0, answered = 0, toSend = 0;

/** What the socket does not take now goes out when it is next answered: the server cannot be idle then. */
void flush(Session &session) {
  while (session.outSent < session.out.size()) {
    const ssize_t taken = send(session.socket, session.out.data() + session.outSent,
                               session.out.size() - session.outSent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (taken < 0 && errno == EAGAIN) return;
    if (taken < 0) fail("send: %s", strerror(errno));
    session.outSent += taken;
  }
  session.out.clear();
  session.outSent = 0;
}

void fill(Session &session) {
  const uint64_t now = nowNs();
  while (sent < toSend && session.nextOut - session.nextIn < inFlight) {
    const size_t at = session.out.size();
    session.out.resize(at + session.order.size());
    session.order.write(session.out.data() + at, session.nextOut);
    session.sentNs[session.nextOut % session.sentNs.size()] = now;
    session.nextOut++;
    sent++;
  }
  flush(session);
}

uint64_t numberAt(const char *at) { return strtoull(at, nullptr, 10); }

/** `message` begins at MsgType(35) and ends with SOH; MsgSeqNum(34) follows in both servers. */
void take(Session &session, const char *message, size_t length, uint64_t now) {
  const std::string text(message, std::min<size_t>(length, 400));
  if (length < 9 || memcmp(message + 4, "\00134=", 4) || numberAt(message + 8) != session.nextIn)
    fail("expected number %lu: %s", (unsigned long)session.nextIn, text.c_str());
  const uint64_t seq = session.nextIn++;
  if (seq == 1) return;  // to the logon
  const char *id = (const char *)memmem(message, length, "\00111=", 4);
  if (message[3] != '8' || id == nullptr || numberAt(id + 4) != seq)
    fail("no report for order %lu: %s", (unsigned long)seq, text.c_str());
  latenciesNs.push_back(now - session.sentNs[seq % session.sentNs.size()]);
  answered++;
}

void receive(Session &session) {
  const ssize_t got = recv(session.socket, session.in.data() + session.inLength,
                           session.in.size() - session.inLength, MSG_DONTWAIT);
  if (got < 0 && errno == EAGAIN) return;
  if (got <= 0) fail("the server closed the connection: %s", got < 0 ? strerror(errno) : "end");
  session.inLength += got;
  const uint64_t now = nowNs();
  const char *at = session.in.data(), *end = at + session.inLength;
  constexpr size_t prefix = sizeof "8=FIX.4.4|9=" - 1;
  while (end - at > 20) {
    char *body;
    const size_t length = strtoul(at + prefix, &body, 10);
    body++;
    if (body + length + trailerBytes > end) break;
    take(session, body, length, now);
    at = body + length + trailerBytes;
  }
  session.inLength = end - at;
  memmove(session.in.data(), at, session.inLength);
}

template <typename Condition>
void runUntil(int poll, uint64_t orders, Condition isOver) {
  toSend = sent + orders;
  for (Session &session : sessions) fill(session);
  epoll_event events[64];
  while (!isOver()) {
    const int count = epoll_wait(poll, events, 64, 10'000);
    if (count == 0) fail("no reply for 10 s");
    for (int i = 0; i < count; i++) {
      Session &session = sessions[events[i].data.u32];
      receive(session);
      fill(session);
    }
  }
}

int connected(int port) {
  const int connection = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(connection, (sockaddr *)&address, sizeof address)) fail("connect: %s", strerror(errno));
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return connection;
}

}  // namespace

int main(int count, char **words) {
  if (count != 5) fail("load PORT SESSIONS IN_FLIGHT ORDERS");
  const uint64_t orders = numberAt(words[4]);
  inFlight = numberAt(words[3]);
  latenciesNs.reserve(orders);
  const int poll = epoll_create1(0);
  for (unsigned i = 0; i < numberAt(words[2]); i++) {
    const std::string name = "CLIENT" + std::to_string(i);
    Session &session = sessions.emplace_back(connected(atoi(words[1])), name);
    const Template logon("A", name, "98=0|108=30|141=Y|");
    session.out.resize(logon.size());
    logon.write(session.out.data(), 1);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u32 = i;
    epoll_ctl(poll, EPOLL_CTL_ADD, session.socket, &event);
  }
  const auto isLoggedOn = [](const Session &session) { return session.nextIn > 1; };
  runUntil(poll, 0, [&] { return std::all_of(sessions.begin(), sessions.end(), isLoggedOn); });
  const uint64_t startNs = nowNs();
  runUntil(poll, orders, [] { return answered == sent; });
  const uint64_t tookNs = nowNs() - startNs;
  std::sort(latenciesNs.begin(), latenciesNs.end());
  const auto latencyUs = [&](double share) { return latenciesNs[size_t(share * orders)] / 1e3; };
  printf("{\"tookNs\":%lu,\"p50Us\":%.2f,\"p99Us\":%.2f}\n", (unsigned long)tookNs, latencyUs(0.5),
         latencyUs(0.99));
}
