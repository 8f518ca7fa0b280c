// A first order over QuickFIX C++: logs on, buys at a limit, shows each report, ends when the order has ended.
//
//   g++ -std=c++14 first-order.cpp -o first-order -lquickfix -lpthread
//   ./first-order SETTINGS USERNAME PASSWORD [SYMBOL QUANTITY PRICE]
//
// Exit code: 0 filled, 1 ended otherwise, 2 wrong call or no logon within 30 seconds.
#include <quickfix/Application.h>
#include <quickfix/FileLog.h>
#include <quickfix/FileStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketInitiator.h>
#include <quickfix/fix44/ExecutionReport.h>
#include <quickfix/fix44/NewOrderSingle.h>

#include <chrono>
#include <future>
#include <iostream>
#include <string>

class FirstOrder : public FIX::Application {
 public:
  FirstOrder(const std::string& username, const std::string& password, const std::string& symbol, double quantity,
             double price)
      : m_username(username), m_password(password), m_symbol(symbol), m_quantity(quantity), m_price(price) {}

  std::future<char> ended() { return m_ended.get_future(); }

  void onCreate(const FIX::SessionID&) {}
  void onLogout(const FIX::SessionID&) {}
  void toApp(FIX::Message&, const FIX::SessionID&) throw(FIX::DoNotSend) {}

  // The settings file holds no password: it is put into the Logon here.
  void toAdmin(FIX::Message& message, const FIX::SessionID&) {
    if (message.getHeader().getField(FIX::FIELD::MsgType) != FIX::MsgType_Logon) return;
    message.setField(FIX::Username(m_username));
    message.setField(FIX::Password(m_password));
  }

  void fromAdmin(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::RejectLogon) {
    if (message.isSetField(FIX::FIELD::Text)) std::cout << message.getField(FIX::FIELD::Text) << std::endl;
  }

  void onLogon(const FIX::SessionID& session) {
    std::cout << "logged on" << std::endl;
    FIX44::NewOrderSingle order(FIX::ClOrdID("first-" + std::to_string(std::time(nullptr))), FIX::Side(FIX::Side_BUY),
                                FIX::TransactTime(), FIX::OrdType(FIX::OrdType_LIMIT));
    order.set(FIX::Symbol(m_symbol));
    order.set(FIX::OrderQty(m_quantity));
    order.set(FIX::Price(m_price));
    order.set(FIX::TimeInForce(FIX::TimeInForce_GOOD_TILL_CANCEL));
    FIX::Session::sendToTarget(order, session);
  }

  void fromApp(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::UnsupportedMessageType) {
    if (message.getHeader().getField(FIX::FIELD::MsgType) != FIX::MsgType_ExecutionReport) return;
    const char status = message.getField(FIX::FIELD::OrdStatus)[0];
    std::cout << "ExecType(150)=" << message.getField(FIX::FIELD::ExecType) << " OrdStatus(39)=" << status
              << " CumQty(14)=" << message.getField(FIX::FIELD::CumQty)
              << " AvgPx(6)=" << message.getField(FIX::FIELD::AvgPx) << std::endl;
    const bool hasEnded = status == FIX::OrdStatus_FILLED || status == FIX::OrdStatus_CANCELED ||
                          status == FIX::OrdStatus_REJECTED || status == FIX::OrdStatus_EXPIRED;
    if (hasEnded && !m_isOver) {
      m_isOver = true;
      m_ended.set_value(status);
    }
  }

 private:
  std::string m_username;
  std::string m_password;
  std::string m_symbol;
  double m_quantity;
  double m_price;
  std::promise<char> m_ended;
  bool m_isOver = false;
};

int main(int argc, char** argv) {
  if (argc != 4 && argc != 7) {
    std::cerr << "first-order SETTINGS USERNAME PASSWORD [SYMBOL QUANTITY PRICE]" << std::endl;
    return 2;
  }
  try {
    FIX::SessionSettings settings(argv[1]);
    FIX::FileStoreFactory store(settings);
    FIX::FileLogFactory log(settings);
    const bool isGiven = argc == 7;
    FirstOrder application(argv[2], argv[3], isGiven ? argv[4] : "BTC-USDC", isGiven ? std::stod(argv[5]) : 0.001,
                           isGiven ? std::stod(argv[6]) : 55000);
    std::future<char> ended = application.ended();
    FIX::SocketInitiator initiator(application, store, settings, log);
    initiator.start();
    const bool isOver = ended.wait_for(std::chrono::seconds(30)) == std::future_status::ready;
    initiator.stop();
    if (!isOver) return 2;
    return ended.get() == FIX::OrdStatus_FILLED ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 2;
  }
}
