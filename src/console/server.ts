/**
 * The console's HTTP server: guards first, then the open routes (health, metrics, the page itself), then queries and
 * finally actions of a login. Every error becomes a short response without internal details (docs/SECURITY.md,
 * "Console").
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { z } from 'zod';
import { ActRefused } from '../gateway/operator/operator.ts';
import type { Clock } from '../runtime/clock.ts';
import { bodyOf, endIfHasty } from '../runtime/http-intake.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { parsedJson } from '../runtime/parsed-json.ts';
import { contextOf, type ServerTls } from '../transport/acceptor.ts';
import { networkOf, plainAddress } from '../transport/address.ts';
import { actShape } from './act-shape.ts';
import { carryOut } from './acts.ts';
import { asset } from './assets.ts';
import { Connections } from './connections.ts';
import { encoded } from './encoding.ts';
import {
  cookieHeader,
  cookieOf,
  flowCookieHeader,
  flowCookieName,
  guardOf,
  securityHeaders,
} from './guard.ts';
import type { Live } from './live.ts';
import { isCsrf, type Login, type Logins } from './logins.ts';
import type { Oidc, OidcFault } from './oidc.ts';
import { notPermitted } from './permissions.ts';
import { type RouteParts, routes } from './routes.ts';

/** For the checks of a supervisor, which has no certificate. */
const probes = new Set(['/healthz', '/readyz']);

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly hostNames: readonly string[];
  /** The maximum number of simultaneous connections. */
  readonly connections: number;
  readonly tls: ServerTls | undefined;
  readonly clock: Clock;
  readonly logins: Logins;
  /** Undefined if no OpenID provider is configured. */
  readonly oidc: Oidc | undefined;
  readonly live: Live;
  readonly metrics: Metrics;
  /** Undefined until the bridge has opened. */
  readonly parts: () => RouteParts | undefined;
  /** Reports an internal error to the log, but not to the caller; notices with the same `about` are combined. */
  readonly problem: (text: string, about: string) => void;
}

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly body?: string | Buffer;
  readonly headers?: OutgoingHttpHeaders;
}

const metricsApartMs = 1_000;
const longestBody = 16 * 1024;
const longestUrl = 4 * 1024;
const json = 'application/json; charset=utf-8';
const plain = 'text/plain; charset=utf-8';
const refusedLogins = {
  blocked: [429, 'too many failures; wait a minute'],
  busy: [503, 'too many logins wait to be checked; try again'],
  refused: [401, 'the name or the token is wrong'],
} as const;
const loginShape = z.strictObject({ name: z.string().min(1).max(100), token: z.string().max(256) });

export class ConsoleServer {
  readonly #options: ServerOptions;
  readonly #server: Server | TlsServer;
  readonly #connections: Connections;
  #guard: ReturnType<typeof guardOf>;
  #scrape: { readonly untilMs: number; readonly body: Promise<Buffer> } | undefined;

  constructor(options: ServerOptions) {
    const { tls } = options;
    // A client without a certificate is refused where its request is known.
    const asked = { requestCert: tls?.clientCa !== undefined, rejectUnauthorized: false };
    const listener: RequestListener = (request, response) => void this.#serve(request, response);
    const bounds = { headersTimeout: 5_000, requestTimeout: 10_000, maxHeaderSize: 16_384 };
    this.#options = options;
    this.#server =
      tls === undefined
        ? createServer(bounds, listener)
        : createTlsServer({ ...bounds, ...contextOf(tls), ...asked }, listener);
    this.#connections = new Connections(this.#server, options.connections, options.clock);
    this.#guard = guardOf([], this.#scheme);
  }

  /** Resolves with the URL of the page. */
  async listen(): Promise<string> {
    const { host, hostNames, port } = this.#options;
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    const bound = (this.#server.address() as AddressInfo).port;
    const names = [host, 'localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${bound}`);
    this.#guard = guardOf([...names, ...hostNames], this.#scheme);
    return `${this.#scheme}://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  }

  /** Throws if they do not fit together; otherwise calling the returned function applies them to later connections. */
  renewal(tls: ServerTls): () => void {
    const context = contextOf(tls);
    createSecureContext(context);
    return () => {
      if (this.#server instanceof TlsServer) this.#server.setSecureContext(context);
    };
  }

  async close(): Promise<void> {
    this.#options.live.stop();
    this.#connections.close();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  get #scheme(): 'http' | 'https' {
    return this.#options.tls === undefined ? 'http' : 'https';
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (endIfHasty(request, response)) return;
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    response.setHeader('cache-control', 'no-store');
    let reply: Reply | 'answered';
    try {
      reply = await this.#reply(request, response);
    } catch (error) {
      // The client left before its body had ended.
      if (error === request.errored) return;
      reply = this.#fault(error);
    }
    if (reply === 'answered' || response.headersSent) return;
    const { body = '', headers = {}, status, type = plain } = reply;
    const sent = await encoded(body, type, request.headers['accept-encoding']?.toString());
    response.writeHead(status, { 'content-type': type, ...headers, ...sent.headers });
    response.end(request.method === 'HEAD' ? undefined : sent.body);
  }

  #fault(error: unknown): Reply {
    if (error instanceof z.ZodError) {
      const [issue] = error.issues;
      const text = `${issue?.path.join('.') || 'request'}: ${issue?.message ?? 'wrong'}`;
      return failed(400, text);
    }
    if (error instanceof ActRefused) return failed(409, error.message);
    const [name, text] = error instanceof Error ? [error.name, error.message] : ['', String(error)];
    this.#options.problem(`console: ${text}`, `console ${name}`);
    return failed(500, 'internal error; see the log of the bridge');
  }

  /** A resumed session without a certificate must not count as verified, whatever the TLS library says of it. */
  #isCertified({ socket }: IncomingMessage): boolean {
    if (this.#options.tls?.clientCa === undefined) return true;
    const secured = socket as TLSSocket;
    return secured.authorized && secured.getPeerX509Certificate() !== undefined;
  }

  async #reply(request: IncomingMessage, response: ServerResponse): Promise<Reply | 'answered'> {
    const { headers, method = '', url = '' } = request;
    if (!this.#guard.isHost(headers)) return failed(421, 'this is not a name of this console');
    if (url.length > longestUrl) return failed(414, 'the URL is too long');
    if (!url.startsWith('/')) return failed(400, 'the target of a request is a path');
    // The path is appended instead of resolved: "//name/path" would otherwise be a path of another host.
    const { pathname, searchParams } = new URL(`http://console${url}`);
    if (!probes.has(pathname) && !this.#isCertified(request)) {
      return failed(403, 'this console requires a client certificate');
    }
    if (method === 'POST') return this.#post(pathname, request, response);
    if (method !== 'GET' && method !== 'HEAD') return failed(405, 'only GET and POST');
    if (pathname.startsWith('/login/')) return this.#loginThroughProvider(pathname, url, request);
    const open = await this.#open(pathname, headers);
    if (open !== undefined) return open;
    const login = this.#loginOf(request);
    if (pathname === '/api/me') return answered(login === undefined ? null : shownTo(login));
    if (login === undefined) return failed(401, 'log in first');
    return this.#read(pathname, searchParams, request, response);
  }

  #loginOf(request: IncomingMessage): Login | undefined {
    const login = this.#options.logins.of(cookieOf(request.headers));
    if (login !== undefined) this.#connections.trust(request);
    return login;
  }

  /** Routes without a login. */
  async #open(path: string, asked: IncomingHttpHeaders): Promise<Reply | undefined> {
    const { metrics, parts } = this.#options;
    if (path === '/healthz') return { status: 200, body: 'alive\n' };
    if (path === '/readyz') {
      const why = parts()?.view.notReady ?? ['the bridge is starting'];
      return { status: why.length === 0 ? 200 : 503, body: `${why.join('\n') || 'ready'}\n` };
    }
    if (path === '/metrics') {
      return { status: 200, type: metrics.contentType, body: await this.#metrics() };
    }
    if (path === '/api/login-ways') return answered({ oidc: this.#options.oidc?.label ?? null });
    if (path.startsWith('/api/')) return undefined;
    const found = await asset(path);
    if (found === undefined) return failed(404, 'there is no such page');
    const { body, etag, type } = found;
    const headers = { 'cache-control': 'no-cache', etag };
    const isKnown = asked['if-none-match'] === etag;
    return isKnown ? { status: 304, headers } : { status: 200, type, body, headers };
  }

  /** Rendered at most once a second, however many requests there are. */
  #metrics(): Promise<Buffer> {
    const { clock, metrics } = this.#options;
    const { monoMs } = clock.now();
    if (this.#scrape === undefined || monoMs >= this.#scrape.untilMs) {
      const body = metrics.text().then((text) => Buffer.from(text));
      this.#scrape = { untilMs: monoMs + metricsApartMs, body };
    }
    return this.#scrape.body;
  }

  async #read(
    path: string,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Reply | 'answered'> {
    const { live, logins, parts } = this.#options;
    const open = parts();
    if (open === undefined) return failed(503, 'the bridge is starting');
    if (path === '/api/live') {
      const cookie = cookieOf(request.headers);
      const isAllowed = () => logins.of(cookie) !== undefined;
      return live.add(response, isAllowed) ? 'answered' : failed(503, 'too many pages are open');
    }
    if (path === '/api/message/raw') return download(query, open);
    if (path === '/api/certification/report') return report(query, open);
    const route = Object.hasOwn(routes, path) ? routes[path as keyof typeof routes] : undefined;
    if (route === undefined) return failed(404, 'there is nothing here');
    const found = await route.read(route.query.parse(Object.fromEntries(query)), open);
    return found === undefined ? failed(404, 'not found, or no longer kept') : answered(found);
  }

  async #post(path: string, request: IncomingMessage, response: ServerResponse): Promise<Reply> {
    const { logins } = this.#options;
    const { headers } = request;
    if (!this.#guard.isOurs(headers))
      return failed(403, "changes are only accepted from the console's own pages");
    if (!(headers['content-type'] ?? '').startsWith('application/json')) {
      return failed(415, 'the body must be JSON');
    }
    const text = await bodyOf(request, longestBody);
    if (text === undefined) return failed(413, 'the body is too long');
    const body = parsedJson(text);
    if (body === undefined) return failed(400, 'the body is not JSON');
    if (path === '/api/login') return this.#login(body, request, response);
    const login = this.#loginOf(request);
    if (login === undefined) return failed(401, 'log in first');
    if (!isCsrf(login, String(headers['x-causeway-csrf'] ?? ''))) {
      return failed(403, 'the anti-forgery token is missing or old; load the page again');
    }
    if (path === '/api/logout') {
      logins.logout(cookieOf(headers));
      return { ...answered({}), headers: this.#cookie('') };
    }
    if (path !== '/api/act') return failed(404, 'there is nothing here');
    const open = this.#options.parts();
    if (open === undefined) return failed(503, 'the bridge is starting');
    const asked = actShape.parse(body);
    const forbidden = notPermitted(login.who, login.roles, asked.act);
    if (forbidden !== undefined) return failed(403, forbidden);
    return answered({ text: await carryOut(open, login.who, asked) });
  }

  async #login(
    body: unknown,
    { socket }: IncomingMessage,
    response: ServerResponse,
  ): Promise<Reply> {
    const { logins, parts, problem } = this.#options;
    // Until the bridge has opened, logins cannot be recorded in its audit chain, so they are refused.
    if (parts() === undefined) return failed(503, 'the bridge is starting');
    const { name, token } = loginShape.parse(body);
    const address = plainAddress(socket.remoteAddress ?? '');
    const onLeave = (giveUp: () => void) => void response.once('close', giveUp);
    const result = await logins.login(name, token, address, onLeave);
    if (typeof result === 'object')
      return { ...answered({}), headers: this.#cookie(result.cookie) };
    problem(`console: login ${result} from ${address}`, `login ${result} ${networkOf(address)}`);
    const [status, text] = refusedLogins[result];
    return failed(status, text);
  }

  /** `/login/start` redirects the browser to the provider, which redirects it back to `/login/callback`. */
  async #loginThroughProvider(
    path: string,
    target: string,
    { headers, socket }: IncomingMessage,
  ): Promise<Reply> {
    const { logins, oidc, parts, problem } = this.#options;
    if (oidc === undefined) return failed(404, 'there is no OpenID provider');
    if (parts() === undefined) return failed(503, 'the bridge is starting');
    const address = plainAddress(socket.remoteAddress ?? '');
    if (logins.isBlocked(address)) return failed(...refusedLogins.blocked);
    const isSecure = this.#scheme === 'https';
    // The guard has verified that the host is a name of this console.
    const callback = new URL('/login/callback', `${this.#scheme}://${headers.host}`);
    if (path === '/login/start') {
      const started = await oidc.start(callback.href);
      if (typeof started === 'string') return failedLogin(started);
      return redirect(started.url.href, [flowCookieHeader(started.cookie, isSecure)]);
    }
    if (path !== '/login/callback') return failed(404, 'there is no such page');
    callback.search = new URL(`http://console${target}`).search;
    const found = await oidc.finish(callback, cookieOf(headers, flowCookieName));
    if (typeof found === 'string') {
      if (found === 'refused' || found === 'no_role') logins.refused(address);
      problem(`console: login ${found} from ${address}`, `login ${found} ${networkOf(address)}`);
      return failedLogin(found);
    }
    const cookies = [
      cookieHeader(logins.enter(found, address), isSecure),
      flowCookieHeader('', isSecure),
    ];
    return redirect('/', cookies);
  }

  #cookie(value: string): Record<string, string> {
    return { 'set-cookie': cookieHeader(value, this.#scheme === 'https') };
  }
}

/** The part of a login that its page receives. */
function shownTo({ csrf, roles, who }: Login): Login {
  return { who, roles, csrf };
}

function redirect(location: string, cookies: string[] = []): Reply {
  return { status: 302, headers: { location, 'set-cookie': cookies } };
}

/** The login page displays the reason. */
function failedLogin(fault: OidcFault): Reply {
  return redirect(`/?login=${fault}`);
}

function answered(value: unknown): Reply {
  return { status: 200, type: json, body: JSON.stringify(value) };
}

function failed(status: number, text: string): Reply {
  return { status, type: json, body: JSON.stringify({ error: text }) };
}

/** The bytes of one message, without secrets. */
async function download(query: URLSearchParams, { trail }: RouteParts): Promise<Reply> {
  const id = Number(query.get('id'));
  const row = Number.isSafeInteger(id) && id > 0 ? await trail.get(id) : undefined;
  return row?.kind === 'in' || row?.kind === 'out'
    ? attached(`message-${id}.bin`, Buffer.from(row.bytes))
    : failed(404, 'this message is not kept');
}

function report(query: URLSearchParams, { certification }: RouteParts): Reply {
  const found = certification?.report(query.get('folder') ?? '');
  return found === undefined
    ? failed(404, 'there is no report of this counterparty')
    : attached('certification.html', found);
}

/** A file for download: others wrote its content, so no browser may display it under our name. */
function attached(name: string, body: Buffer): Reply {
  return {
    status: 200,
    type: 'application/octet-stream',
    body,
    headers: { 'content-disposition': `attachment; filename="${name}"` },
  };
}
