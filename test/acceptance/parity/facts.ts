/**
 * What happened on one lane, without what must differ: times, numbers of messages, nonces, signatures, and the ids that
 * the venue derives from them, which become ordinals.
 */

/** Header and trailer, numbers and times; the words of FIX alone for what a field of orders.xml says otherwise. */
const ofLane = new Set([
  '8',
  '9',
  '10',
  '34',
  '43',
  '45',
  '49',
  '52',
  '56',
  '60',
  '97',
  '122',
  '369',
]);
/** Parties(453) of a copy say more than OnBehalfOfCompID; ways to write the same instrument and its positions. */
const inOtherWords = new Set(['22', '290', '447', '448', '452', '453', '167', '541']);
/** What differs from one signing to the next. */
const ofSigning = new Set(['nonce', 'ts', 'client_order_id', 'signature']);
/** The venue refuses twice, by its answer and on its stream; ExecID and seq are those of whichever comes first. */
const ofFirstRefusal = new Set(['17', '9110']);
/** The readiness and the stream both say that the venue halts, each in its words: those of whichever comes last are told. */
const ofClosedGate = new Set(['35=h', '9102=bridge.gate_closed']);

export class Facts {
  readonly #ids = new Map<string, string>();
  readonly #requests = new Map<string, string[]>();

  begin(): void {
    this.#requests.clear();
  }

  /** A request with signed actions; one that is sent again says nothing new. */
  requested(account: string, body: unknown): void {
    const text = body instanceof Uint8Array ? Buffer.from(body).toString() : String(body ?? '');
    if (!text.startsWith('{')) return;
    const seen = this.#requests.get(account) ?? [];
    if (!seen.includes(text)) seen.push(text);
    this.#requests.set(account, seen);
  }

  /** Each message as its fields in the order of their tags, because a field's place is the protocol's. */
  told(transcript: readonly string[]): string[] {
    return transcript.map((line) => {
      const at = line.indexOf(' ');
      const fields = line
        .slice(at + 1)
        .split('|')
        .filter((field) => field !== '');
      const isRefusal = fields.includes('150=8');
      const saysWhyClosed = fields.some((field) => ofClosedGate.has(field));
      const kept = fields.flatMap((field) => {
        const cut = field.indexOf('=');
        const [tag, value] = [field.slice(0, cut), field.slice(cut + 1)];
        if (ofLane.has(tag) || inOtherWords.has(tag)) return [];
        if (isRefusal && ofFirstRefusal.has(tag)) return [];
        if (saysWhyClosed && tag === '58') return [];
        return [`${tag}=${this.#shown(tag, value)}`];
      });
      return `${line.slice(0, at)} ${sorted(kept).join('|')}`;
    });
  }

  /** The actions of each account, each once, in the order of their nonces. */
  signed(): string[] {
    return [...this.#requests].flatMap(([account, bodies]) => {
      const actions = new Map<number, string>();
      for (const body of bodies)
        for (const one of actionsOf(JSON.parse(body))) {
          actions.set(Number(one.nonce), this.#normal(JSON.stringify(bare(one))));
        }
      return [...actions].sort(([a], [b]) => a - b).map(([, text]) => `${account} ${text}`);
    });
  }

  #shown(tag: string, value: string): string {
    // The time of a refusal, and of an expiry that the script counts from now.
    if (tag === '17') return value.replace(/-\d{13}-r\d+$/, '-time-r');
    if (tag === '126') return 'time';
    // A mode that has no name is a number on the other lane.
    const said = value.replace(/\d+ ms/g, 'n ms').replace(/(?<=invalid_stp_mode: ).*/, 'mode');
    return this.#normal(tag === '58' ? said : value);
  }

  #normal(text: string): string {
    return text.replace(/0x[0-9a-f]{64}/g, (id) => {
      const name = this.#ids.get(id) ?? `order-${this.#ids.size}`;
      this.#ids.set(id, name);
      return name;
    });
  }
}

interface Json {
  readonly nonce?: unknown;
}

/** Every object that carries a nonce, a batch's and those nested in conditionals too. */
function actionsOf(json: unknown): Json[] {
  if (Array.isArray(json)) return json.flatMap(actionsOf);
  if (typeof json !== 'object' || json === null) return [];
  const own = json as Json;
  return 'nonce' in own ? [own] : Object.values(own).flatMap(actionsOf);
}

function bare(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(bare);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) =>
      ofSigning.has(key) || /expires/i.test(key) ? [] : [[key, bare(value)]],
    ),
  );
}

/** Stable, so that the entries of a group keep their order. */
function sorted(fields: readonly string[]): string[] {
  const tagOf = (field: string) => Number(field.slice(0, field.indexOf('=')));
  return [...fields].sort((a, b) => tagOf(a) - tagOf(b));
}
