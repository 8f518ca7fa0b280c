/**
 * Every key of the three QuickFIX engines that operators use, and what becomes of it here. One table: what is not in
 * it is told as unknown, so nothing is lost in silence.
 */

/** `taken`: it stands in our configuration. `always`: the bridge does so by itself. `none`: there is nothing like it. */
export type Fate = readonly [fate: 'taken' | 'always' | 'none', words: string];
/** `gateway`: it is taken from the file of a gateway; in that of a client it is the client's. */
type KeyFate = readonly [fate: Fate[0] | 'gateway', words: string];

const asksReset = 'sessions[].allowReset: a client that resets by itself sends 141=Y';
const numbersGoOn = 'numbers go on over every fault; an operator may set them in the console';
const clients = 'is of the client alone';
const hours = 'sessions[].engine.schedule';
const weekly = 'hours of a whole week are not known here; sessions[].engine.schedule has days';
const stored = 'everything is recorded in the dataDir, in one SQLite file';
const logged = 'the log goes to standard output, messages into the trail of the console';
const sockets = 'sockets are tuned by the bridge';
const pem = 'write certificate and key as PEM files, for fix.tls';
const hides = "is the client's own secret, and is never copied";
const revoked = 'sessions[].certificateSha256 names the certificate of a client';

const settingFates: Readonly<Record<string, KeyFate>> = {
  connectiontype: ['taken', 'says which side of the session the file is of'],
  beginstring: ['taken', 'FIX.4.4 is spoken, nothing else'],
  sendercompid: ['taken', 'sessions[].senderCompId or targetCompId'],
  targetcompid: ['taken', 'sessions[].targetCompId or senderCompId'],
  sendersubid: ['none', 'sessions are told apart by CompIDs'],
  targetsubid: ['none', 'sessions are told apart by CompIDs'],
  senderlocationid: ['none', 'sessions are told apart by CompIDs'],
  targetlocationid: ['none', 'sessions are told apart by CompIDs'],
  sessionqualifier: ['none', 'sessions are told apart by CompIDs'],
  defaultapplverid: ['none', 'is of FIX 5.0 and later'],
  socketacceptport: ['taken', 'fix.listen.port'],
  socketaccepthost: ['taken', 'fix.listen.host'],
  socketacceptaddress: ['taken', 'fix.listen.host'],
  socketconnectport: ['taken', 'fix.listen.port, to which the client goes on connecting'],
  socketconnecthost: ['none', clients],
  socketconnectprotocol: ['none', clients],
  socketconnectsourcehost: ['none', clients],
  socketconnectsourceport: ['none', clients],
  socketconnecttimeout: ['none', clients],
  socketlocalhost: ['none', clients],
  socketlocalport: ['none', clients],
  socketignoreproxy: ['none', clients],
  usetcpproxy: ['taken', 'fix.proxies'],
  allowedremoteaddresses: ['taken', 'sessions[].allowFrom'],
  socketusessl: ['taken', 'fix.tls'],
  sslenable: ['taken', 'fix.tls'],
  servercertificatefile: ['gateway', 'fix.tls.certFile'],
  servercertificatekeyfile: ['gateway', 'fix.tls.keyFile'],
  certificationauthoritiesfile: ['gateway', 'fix.tls.clientCaFile'],
  certificationauthoritiesdirectory: ['none', 'put them into one file, for fix.tls.clientCaFile'],
  certificaterevocationlistfile: ['none', revoked],
  certificaterevocationlistdirectory: ['none', revoked],
  sslcacertificate: ['gateway', 'fix.tls.clientCaFile'],
  needclientauth: ['gateway', 'fix.tls.clientCaFile'],
  sslrequireclientcertificate: ['gateway', 'fix.tls.clientCaFile'],
  certificateverifylevel: ['gateway', 'fix.tls.clientCaFile'],
  clientcertificatefile: ['none', clients],
  clientcertificatekeyfile: ['none', clients],
  socketkeystore: ['none', `Java key store: ${pem}`],
  socketkeystorepassword: ['none', `Java key store: ${pem}`],
  keystoretype: ['none', `Java key store: ${pem}`],
  keymanagerfactoryalgorithm: ['none', `Java key store: ${pem}`],
  sockettruststore: ['none', 'Java key store: write those who sign as PEM, for clientCaFile'],
  sockettruststorepassword: ['none', 'Java key store: write those who sign as PEM'],
  truststoretype: ['none', 'Java key store: write those who sign as PEM'],
  trustmanagerfactoryalgorithm: ['none', 'Java key store: write those who sign as PEM'],
  sslcertificate: ['none', `PKCS#12: ${pem}`],
  sslcertificatepassword: ['none', `PKCS#12: ${pem}`],
  sslservername: ['none', clients],
  sslvalidatecertificates: ['always', 'certificates are validated'],
  sslcheckcertificaterevocation: ['none', revoked],
  endpointidentificationalgorithm: ['none', clients],
  usesni: ['none', clients],
  snihostname: ['none', clients],
  sslprotocols: ['always', 'TLS 1.2 and 1.3'],
  sslprotocol: ['always', 'TLS 1.2 and 1.3'],
  enabledprotocols: ['always', 'TLS 1.2 and 1.3'],
  ciphersuites: ['always', 'those of the runtime'],
  sslciphersuite: ['always', 'those of the runtime'],
  acceptortemplate: ['none', 'name each counterparty: a session is of one pair of CompIDs'],
  dynamicsession: ['none', 'name each counterparty: a session is of one pair of CompIDs'],
  username: ['taken', 'users[].name'],
  password: ['none', 'is never copied: causeway keys hash > secrets/NAME.hash'],
  resetonlogon: ['taken', 'sessions[].allowReset; of a gateway engine.resetsOnLogon, too'],
  resetonlogout: ['taken', asksReset],
  resetondisconnect: ['taken', asksReset],
  refreshonlogon: ['always', 'one process owns a session'],
  resetonerror: ['none', numbersGoOn],
  disconnectonerror: ['none', 'a wrong message is refused, and the session goes on'],
  sendresetseqnumflag: ['none', clients],
  ignoreabsenceof141onlogon: ['none', clients],
  refreshmessagestoreatlogon: ['always', 'one process owns a session'],
  forceresendwhencorruptedstore: ['none', 'a damaged store does not start; nothing is made up'],
  validateuserdefinedfields: ['taken', 'profiles[].strictTags'],
  validatefieldsoutoforder: ['always', 'checked'],
  validatefieldshavevalues: ['always', 'checked'],
  validateunorderedgroupfields: ['always', 'checked'],
  validateincomingmessage: ['always', 'checked'],
  validatelengthandchecksum: ['always', 'checked'],
  validatesequencenumbers: ['always', 'checked'],
  validatechecksum: ['always', 'checked'],
  firstfieldingroupisdelimiter: ['always', 'checked'],
  allowunknownenumvalues: ['none', 'an undefined value is refused with 373=5'],
  rejectgarbledmessage: ['none', 'a garbled message is passed over, as FIX 4.4 says'],
  rejectmessageonunhandledexception: ['always', 'every message is answered'],
  preservemessagefieldsorder: ['none', clients],
  allowposdup: ['none', clients],
  allowunknownmsgfields: ['none', 'an undefined tag below 5000 is refused, as FIX 4.4 says'],
  rejectinvalidmessage: ['always', 'invalid messages are refused, the session goes on'],
  requiresorigsendingtime: ['always', 'checked'],
  checkcompid: ['always', 'checked'],
  checklatency: ['always', 'SendingTime(52) is always checked'],
  maxlatency: ['taken', 'sessions[].engine.sendingTimeToleranceMs'],
  usedatadictionary: ['always', 'messages are checked by dictionaries/CAUSEWAY44.xml'],
  datadictionary: ['taken', 'compared with dictionaries/CAUSEWAY44.xml, with --dictionary'],
  transportdatadictionary: ['none', 'is of FIX 5.0 and later'],
  appdatadictionary: ['none', 'is of FIX 5.0 and later'],
  continueinitializationonerror: ['none', 'a configuration is right as a whole, or nothing opens'],
  logmessagewhensessionnotfound: ['always', logged],
  heartbtint: ['taken', 'the client says it; engine.minHeartBtIntS, maxHeartBtIntS where unusual'],
  disableheartbeatcheck: ['none', 'silence is always answered by TestRequest(1), then the end'],
  testrequestdelaymultiplier: ['always', 'after 1.2 intervals of silence'],
  heartbeattimeoutmultiplier: ['always', 'the end after 2.4 intervals of silence'],
  logontimeout: ['always', '10 seconds'],
  logouttimeout: ['gateway', 'sessions[].engine.logoutWaitMs'],
  reconnectinterval: ['none', clients],
  logontag: ['none', hides],
  starttime: ['taken', hours],
  endtime: ['taken', hours],
  startday: ['none', weekly],
  endday: ['none', weekly],
  logontime: ['none', clients],
  logouttime: ['none', clients],
  logonday: ['none', clients],
  logoutday: ['none', clients],
  weekdays: ['taken', hours],
  timezone: ['taken', hours],
  uselocaltime: ['none', 'name the time zone in sessions[].engine.schedule.timeZone'],
  nonstopsession: ['taken', 'no sessions[].engine.schedule: numbers go on for ever'],
  persistmessages: ['always', 'kept for resends'],
  filestorepath: ['always', stored],
  filestoremaxcachedmsgs: ['always', stored],
  filestoresync: ['always', 'durability: power'],
  debugfilelogpath: ['always', logged],
  httpacceptport: ['none', 'the console is configured by console'],
  millisecondsintimestamp: ['always', 'milliseconds'],
  timestampprecision: ['always', 'milliseconds'],
  sendredundantresendrequests: ['always', 'no'],
  resendrequestchunksize: ['gateway', 'sessions[].engine.resendChunk'],
  ignorepossdupresendrequests: ['always', 'no'],
  resendsessionlevelrejects: ['none', 'Reject(3) is never sent again: its number is gap-filled'],
  maxmessagesinresendrequest: ['gateway', 'sessions[].engine.resendChunk'],
  enablelastmsgseqnumprocessed: ['gateway', 'sessions[].engine.saysLastProcessed'],
  enablenextexpectedmsgseqnum: ['gateway', 'sessions[].engine.saysNextExpected'],
  closedresend: ['none', 'every resend is answered whole'],
  closedresendinterval: ['none', 'every resend is answered whole'],
  socketacceptprotocol: ['always', 'TCP'],
  maxscheduledwriterequests: ['always', 'a reader that is slow beyond 8 MiB is cut off'],
  inchancapacity: ['always', 'waiting messages are bounded'],
  threadmodel: ['none', 'the bridge has one'],
  description: ['none', 'a comment'],
};

/** Beginnings of keys of one meaning: databases, logs and sockets have dozens each. */
const families: readonly (readonly [beginning: string, fate: Fate])[] = [
  ['appdatadictionary.', ['none', 'is of FIX 5.0 and later']],
  ['filelog', ['always', logged]],
  ['fileinclude', ['always', logged]],
  ['screenlog', ['always', logged]],
  ['screeninclude', ['always', logged]],
  ['slf4j', ['always', logged]],
  ['jdbc', ['always', stored]],
  ['mysql', ['always', stored]],
  ['odbc', ['always', stored]],
  ['postgresql', ['always', stored]],
  ['sleepycat', ['always', stored]],
  ['proxy', ['none', clients]],
  ['socket', ['always', sockets]],
];

/** Of a key in any case; `SocketConnectHost1` and its like are further values of the key without the number. */
export function fateOf(key: string, isOfGateway: boolean): Fate | undefined {
  const word = key.toLowerCase();
  const known = [word, word.replace(/\d+$/, '')].find((one) => Object.hasOwn(settingFates, one));
  if (known === undefined) return families.find(([beginning]) => word.startsWith(beginning))?.[1];
  const [fate, words] = settingFates[known] ?? ['none', ''];
  if (fate !== 'gateway') return [fate, words];
  return isOfGateway ? ['taken', words] : ['none', clients];
}
