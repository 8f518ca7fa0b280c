/**
 * Login through an OpenID provider: authorization code with PKCE (RFC 7636), roles from the claims of the ID token. The
 * state of a login in progress is encrypted in a browser cookie, so strangers who start logins use no memory here. If
 * the provider cannot be reached, logins by token still work.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import * as client from 'openid-client';
import { z } from 'zod';
import type { OidcConfig, OperatorRole } from '../gateway/config/console-config.ts';
import type { Clock } from '../runtime/clock.ts';

export interface Identity {
  readonly who: string;
  readonly roles: readonly OperatorRole[];
  /** The provider's own identifier of the person. */
  readonly subject: string;
}

/** Why a login through the provider failed; the page has a sentence for each. */
export type OidcFault = 'unavailable' | 'refused' | 'expired' | 'no_role' | 'busy';

const timeoutS = 5;
const loginMs = 10 * 60_000;
/** The provider's metadata is read again after this time; after a failure much sooner. */
const discoveredMs = 3_600_000;
const failedMs = 5_000;
/** The maximum number of simultaneous exchanges with the provider. */
const maxExchanges = 8;
const [ivBytes, tagBytes] = [12, 16];

const flowShape = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  endsMs: z.number(),
});
type Flow = z.output<typeof flowShape>;
const subjectShape = z.object({ sub: z.string().min(1).max(255) });
/** Names are written to logs and the audit chain. */
const nameShape = z.string().regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,100}$/u);
const rolesShape = z.union([
  z.string().transform((role) => [role]),
  z.array(z.string()).max(1_000),
]);

export class Oidc {
  readonly #config: OidcConfig;
  readonly #secret: string | undefined;
  readonly #clock: Clock;
  readonly #problem: (text: string) => void;
  /** Valid only in this process: a login in progress does not survive a restart. */
  readonly #key = randomBytes(32);
  #discovery:
    | { readonly untilMs: number; readonly found: Promise<client.Configuration> }
    | undefined;
  #exchanges = 0;

  constructor(
    config: OidcConfig,
    secret: string | undefined,
    clock: Clock,
    problem: (text: string) => void,
  ) {
    this.#config = config;
    this.#secret = secret;
    this.#clock = clock;
    this.#problem = problem;
  }

  get label(): string {
    return this.#config.label;
  }

  /** Returns the redirect for the browser, and the cookie that it must send back. */
  async start(
    redirectUri: string,
  ): Promise<{ readonly url: URL; readonly cookie: string } | OidcFault> {
    const provider = await this.#provider();
    if (provider === undefined) return 'unavailable';
    const verifier = client.randomPKCECodeVerifier();
    const flow = { state: client.randomState(), nonce: client.randomNonce(), verifier };
    const url = client.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUri,
      scope: this.#config.scope,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const endsMs = this.#clock.now().monoMs + loginMs;
    return { url, cookie: this.#sealed({ ...flow, endsMs }) };
  }

  /** `callback` is the URL to which the provider redirected the browser. */
  async finish(callback: URL, cookie: string | undefined): Promise<Identity | OidcFault> {
    const flow = this.#opened(cookie);
    if (flow === undefined || this.#clock.now().monoMs > flow.endsMs) return 'expired';
    if (callback.searchParams.get('state') !== flow.state) return 'expired';
    if (this.#exchanges >= maxExchanges) return 'busy';
    this.#exchanges += 1;
    try {
      const provider = await this.#provider();
      if (provider === undefined) return 'unavailable';
      return await this.#identity(provider, callback, flow);
    } catch (error) {
      this.#problem(`login through ${this.#config.issuer}: ${textOf(error)}`);
      return 'refused';
    } finally {
      this.#exchanges -= 1;
    }
  }

  async #identity(
    provider: client.Configuration,
    callback: URL,
    { nonce, state, verifier }: Flow,
  ): Promise<Identity | OidcFault> {
    const tokens = await client.authorizationCodeGrant(provider, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const { nameClaim, roles, rolesClaim } = this.#config;
    let claims: Readonly<Record<string, unknown>> = tokens.claims() ?? {};
    const { sub: subject } = subjectShape.parse(claims);
    // Many providers put only the subject into the ID token.
    if (claims[nameClaim] === undefined || claims[rolesClaim] === undefined) {
      claims = {
        ...(await client.fetchUserInfo(provider, tokens.access_token, subject)),
        ...claims,
      };
    }
    const who = nameShape.parse(claims[nameClaim]);
    const held = rolesShape.safeParse(claims[rolesClaim]).data ?? [];
    const known = held.filter((role) => Object.hasOwn(roles, role));
    if (known.length > 0) {
      return { who, subject, roles: [...new Set(known.flatMap((role) => roles[role] ?? []))] };
    }
    this.#problem(`login through ${this.#config.issuer}: ${who} has no role of this console`);
    return 'no_role';
  }

  async #provider(): Promise<client.Configuration | undefined> {
    const { monoMs } = this.#clock.now();
    if (this.#discovery === undefined || monoMs >= this.#discovery.untilMs) {
      this.#discovery = { untilMs: monoMs + discoveredMs, found: this.#discover() };
    }
    const { found } = this.#discovery;
    try {
      return await found;
    } catch (error) {
      if (this.#discovery?.found === found && this.#discovery.untilMs === monoMs + discoveredMs) {
        this.#discovery = { untilMs: monoMs + failedMs, found };
        this.#problem(`the OpenID provider ${this.#config.issuer}: ${textOf(error)}`);
      }
      return undefined;
    }
  }

  #discover(): Promise<client.Configuration> {
    const { clientId, issuer } = this.#config;
    const proof =
      this.#secret === undefined ? client.None() : client.ClientSecretBasic(this.#secret);
    // The configuration allows http only for a provider on this machine.
    const execute = issuer.startsWith('http://') ? [client.allowInsecureRequests] : [];
    return client.discovery(new URL(issuer), clientId, undefined, proof, {
      timeout: timeoutS,
      execute,
    });
  }

  #sealed(flow: Flow): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv);
    const text = Buffer.concat([cipher.update(JSON.stringify(flow)), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** Undefined if this process did not write it. */
  #opened(cookie: string | undefined): Flow | undefined {
    const bytes = Buffer.from(cookie ?? '', 'base64url');
    if (bytes.length <= ivBytes + tagBytes) return undefined;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, ivBytes));
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      const text = Buffer.concat([
        decipher.update(bytes.subarray(ivBytes + tagBytes)),
        decipher.final(),
      ]);
      return flowShape.parse(JSON.parse(text.toString()));
    } catch {
      return undefined;
    }
  }
}

/** The reason, without anything that may contain a token or a secret. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  const { cause, message } = error;
  const reason = cause instanceof Error ? `: ${cause.message}` : '';
  return `${message}${reason}`.slice(0, 300);
}
