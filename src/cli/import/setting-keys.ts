/**
 * Every key of the three QuickFIX engines that operators use, and its equivalent here. A key that is not in this table
 * is reported as unknown, so no setting is dropped silently.
 */

/** `taken`: it is in our configuration. `always`: the bridge always does this. `none`: there is no equivalent. */
export type Fate = readonly [fate: 'taken' | 'always' | 'none', words: string];

type Rows = readonly (readonly [keys: string, words: string])[];

const clients = 'concerns only the client';

/** Lower-case keys; one that ends with `*` is the prefix of a family, such as the dozens for databases and logs. */
const taken: Rows = [
  ['connectiontype', 'which side of the session the file belongs to'],
  ['beginstring', 'only FIX.4.4 is supported'],
  ['sendercompid', 'sessions[].senderCompId or targetCompId'],
  ['targetcompid', 'sessions[].targetCompId or senderCompId'],
  ['socketacceptport', 'fix.listen.port'],
  ['socketaccepthost socketacceptaddress', 'fix.listen.host'],
  ['socketconnectport', 'fix.listen.port, to which the client keeps connecting'],
  ['usetcpproxy', 'fix.proxies'],
  ['allowedremoteaddresses', 'sessions[].allowFrom'],
  ['socketusessl sslenable', 'fix.tls'],
  ['username', 'users[].name'],
  ['resetonlogon', 'sessions[].allowReset; for a gateway also engine.resetsOnLogon'],
  [
    'resetonlogout resetondisconnect',
    'sessions[].allowReset: a client that resets its numbers sends 141=Y',
  ],
  ['validateuserdefinedfields', 'profiles[].strictTags'],
  ['maxlatency', 'sessions[].engine.sendingTimeToleranceMs'],
  ['datadictionary', 'compared with dictionaries/CAUSEWAY44.xml, with --dictionary'],
  ['heartbtint', 'the client chooses it; engine.minHeartBtIntS, maxHeartBtIntS where unusual'],
  ['starttime endtime startday endday weekdays timezone', 'sessions[].engine.schedule'],
  ['nonstopsession', 'no sessions[].engine.schedule: sequence numbers are never reset'],
];

/** Used from a gateway's file; in a client's file they only concern the client. */
const takenOfGateway: Rows = [
  ['servercertificatefile', 'fix.tls.certFile'],
  ['servercertificatekeyfile', 'fix.tls.keyFile'],
  ['certificationauthoritiesfile sslcacertificate certificateverifylevel', 'fix.tls.clientCaFile'],
  ['needclientauth sslrequireclientcertificate', 'fix.tls.clientCaFile'],
  ['logouttimeout', 'sessions[].engine.logoutWaitMs'],
  ['resendrequestchunksize maxmessagesinresendrequest', 'sessions[].engine.resendChunk'],
  ['enablelastmsgseqnumprocessed', 'sessions[].engine.saysLastProcessed'],
  ['enablenextexpectedmsgseqnum', 'sessions[].engine.saysNextExpected'],
];

const always: Rows = [
  ['sslvalidatecertificates', 'certificates are validated'],
  ['sslprotocols sslprotocol enabledprotocols', 'TLS 1.2 and 1.3'],
  ['ciphersuites sslciphersuite', 'those of the runtime'],
  ['refreshonlogon refreshmessagestoreatlogon', 'one process owns a session'],
  ['validatefieldsoutoforder validatefieldshavevalues validateunorderedgroupfields', 'checked'],
  ['validateincomingmessage validatelengthandchecksum validatesequencenumbers', 'checked'],
  ['validatechecksum firstfieldingroupisdelimiter requiresorigsendingtime checkcompid', 'checked'],
  ['rejectmessageonunhandledexception', 'every message is answered'],
  ['rejectinvalidmessage', 'invalid messages are rejected, the session continues'],
  ['checklatency', 'SendingTime(52) is always checked'],
  ['usedatadictionary', 'messages are checked against dictionaries/CAUSEWAY44.xml'],
  [
    'logmessagewhensessionnotfound debugfilelogpath filelog* fileinclude* screenlog* screeninclude* slf4j*',
    'the log goes to standard output, messages into the trail of the console',
  ],
  ['testrequestdelaymultiplier', 'after 1.2 intervals of silence'],
  ['heartbeattimeoutmultiplier', 'the connection ends after 2.4 intervals of silence'],
  ['logontimeout', '10 seconds'],
  ['persistmessages', 'kept for resends'],
  [
    'filestorepath filestoremaxcachedmsgs jdbc* mysql* odbc* postgresql* sleepycat*',
    'everything is recorded in the dataDir, in one log',
  ],
  ['filestoresync', 'durability: power'],
  ['millisecondsintimestamp timestampprecision', 'milliseconds'],
  ['sendredundantresendrequests ignorepossdupresendrequests', 'no'],
  ['socketacceptprotocol', 'TCP'],
  ['maxscheduledwriterequests', 'a reader more than 8 MiB behind is disconnected'],
  ['inchancapacity', 'waiting messages are bounded'],
  ['socket*', 'sockets are tuned by the bridge'],
];

const none: Rows = [
  [
    'sendersubid targetsubid senderlocationid targetlocationid sessionqualifier',
    'sessions are identified by CompIDs alone',
  ],
  [
    'defaultapplverid transportdatadictionary appdatadictionary appdatadictionary.*',
    'FIX 5.0 and later only',
  ],
  ['socketconnecthost socketconnectprotocol socketconnectsourcehost', clients],
  ['socketconnectsourceport socketconnecttimeout socketlocalhost socketlocalport', clients],
  ['socketignoreproxy proxy* clientcertificatefile clientcertificatekeyfile', clients],
  ['sslservername endpointidentificationalgorithm usesni snihostname', clients],
  ['sendresetseqnumflag ignoreabsenceof141onlogon preservemessagefieldsorder allowposdup', clients],
  ['reconnectinterval logontime logouttime logonday logoutday', clients],
  ['certificationauthoritiesdirectory', 'put them into one file, for fix.tls.clientCaFile'],
  [
    'certificaterevocationlistfile certificaterevocationlistdirectory sslcheckcertificaterevocation',
    'sessions[].certificateSha256 names the certificate of a client',
  ],
  [
    'socketkeystore socketkeystorepassword keystoretype keymanagerfactoryalgorithm',
    'Java key store: export certificate and key as PEM files, for fix.tls',
  ],
  [
    'sockettruststore sockettruststorepassword truststoretype trustmanagerfactoryalgorithm',
    'Java key store: export the trusted authorities as PEM, for fix.tls.clientCaFile',
  ],
  [
    'sslcertificate sslcertificatepassword',
    'PKCS#12: export certificate and key as PEM files, for fix.tls',
  ],
  ['acceptortemplate dynamicsession', 'name each counterparty: a session is one pair of CompIDs'],
  ['password', 'never copied: causeway keys hash > secrets/NAME.hash'],
  ['logontag', "the client's own secret, never copied"],
  ['resetonerror', 'numbers survive every fault; an operator can set them in the console'],
  ['disconnectonerror', 'a wrong message is rejected, and the session continues'],
  ['forceresendwhencorruptedstore', 'a bridge with a damaged store does not start'],
  ['allowunknownenumvalues', 'an undefined value is rejected with 373=5'],
  ['rejectgarbledmessage', 'a garbled message is ignored, as FIX 4.4 requires'],
  ['allowunknownmsgfields', 'an undefined tag below 5000 is rejected, as FIX 4.4 requires'],
  ['continueinitializationonerror', 'nothing opens unless the whole configuration is valid'],
  ['disableheartbeatcheck', 'silence always leads to TestRequest(1), then to a disconnect'],
  ['uselocaltime', 'name the time zone in sessions[].engine.schedule.timeZone'],
  ['httpacceptport', 'the console is configured by console'],
  ['resendsessionlevelrejects', 'Reject(3) is never sent again: its number is gap-filled'],
  ['closedresend closedresendinterval', 'every resend request is answered in full'],
  ['threadmodel', 'the bridge has one'],
  ['description', 'a comment'],
];

/** In the order in which key prefixes are tried: `socket*` comes last. */
const tables = { none, taken, gateway: takenOfGateway, always } as const;
type Row = readonly [fate: keyof typeof tables, words: string];

const byKey = new Map(
  Object.entries(tables).flatMap(([fate, rows]) =>
    rows.flatMap(([keys, words]) =>
      keys.split(' ').map((key) => [key, [fate, words] as Row] as const),
    ),
  ),
);

/** Takes a key in any case; `SocketConnectHost1` and similar keys are further values of the key without the number. */
export function fateOf(key: string, isOfGateway: boolean): Fate | undefined {
  const word = key.toLowerCase();
  const [fate, words] = byKey.get(word) ?? byKey.get(word.replace(/\d+$/, '')) ?? familyOf(word);
  if (fate === undefined) return undefined;
  if (fate !== 'gateway') return [fate, words];
  return isOfGateway ? ['taken', words] : ['none', clients];
}

function familyOf(word: string): Row | readonly [undefined, ''] {
  const isOfFamily = (key: string) => key.endsWith('*') && word.startsWith(key.slice(0, -1));
  return [...byKey].find(([key]) => isOfFamily(key))?.[1] ?? [undefined, ''];
}
