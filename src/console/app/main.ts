/** The page itself: the login, the menu, and the bridge's health on every page. */
import { html, render, useEffect, useState } from 'htm/preact';
import {
  ask,
  follow,
  type Me,
  post,
  textOf,
  useLive,
  useLoaded,
  whenLoggedOut,
  me as whoAmI,
} from './api.ts';
import { pageOf, useAddress } from './filters.ts';
import { decoded, words } from './format.ts';
import { Alarms, AuditPage } from './page-alarms.ts';
import { CertificationPage } from './page-certification.ts';
import { ConfigPage } from './page-config.ts';
import { CopiesPage } from './page-copies.ts';
import { LatencyPage } from './page-latency.ts';
import { MakersPage } from './page-makers.ts';
import { MessagePage, Messages } from './page-messages.ts';
import { NodesPage } from './page-nodes.ts';
import { OrderPage } from './page-order.ts';
import { Orders } from './page-orders.ts';
import { Overview } from './page-overview.ts';
import { RiskPage } from './page-risk.ts';
import { SessionPage, Sessions } from './page-sessions.ts';
import { Venue } from './page-venue.ts';
import { Fault, Field, State } from './parts.ts';
import { Shortcuts } from './shortcuts.ts';

/** The pages in menu order. */
const pages: Readonly<Record<string, readonly [title: string, page: unknown]>> = {
  overview: ['Overview', Overview],
  orders: ['Orders', Orders],
  sessions: ['Sessions', Sessions],
  messages: ['Messages', Messages],
  venue: ['Venue', Venue],
  risk: ['Risk', RiskPage],
  copies: ['Drop copies', CopiesPage],
  makers: ['Makers', MakersPage],
  latency: ['Latency', LatencyPage],
  certification: ['Certification', CertificationPage],
  alarms: ['Alarms', Alarms],
  audit: ['Audit', AuditPage],
  nodes: ['Nodes', NodesPage],
  config: ['Configuration', ConfigPage],
};

/** Detail pages, by the page of the menu to which they belong. */
const details: Readonly<Record<string, string>> = {
  order: 'orders',
  session: 'sessions',
  message: 'messages',
};

function App() {
  const [me, setMe] = useState<Me | null | undefined>(undefined);
  useEffect(() => {
    whenLoggedOut(() => setMe(null));
    whoAmI().then(setMe, () => setMe(null));
  }, []);
  if (me === undefined) return html`<p class="empty">…</p>`;
  if (me === null) return html`<${LoginPage} done=${setMe} />`;
  return html`<${Desk} me=${me} left=${() => setMe(null)} />`;
}

const loginFaults: Readonly<Record<string, string>> = {
  unavailable: 'the OpenID provider does not answer; a token still works',
  refused: 'the OpenID provider did not confirm the login',
  expired: 'the login took too long, or was begun in another browser; try again',
  no_role: 'you have no role for this console',
  busy: 'too many logins are under way; try again',
};

function LoginPage({ done }: { done: (me: Me | null) => void }) {
  const [fault, setFault] = useState(
    loginFaults[new URLSearchParams(location.search).get('login') ?? ''] ?? '',
  );
  const [label, setLabel] = useState<string | null>(null);
  useEffect(() => {
    ask<{ readonly oidc: string | null }>('/api/login-ways').then(
      ({ oidc }) => setLabel(oidc),
      () => {},
    );
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    try {
      await post('/api/login', { name: form.get('name'), token: form.get('token') });
      done(await whoAmI());
    } catch (error) {
      setFault(textOf(error));
    }
  };
  return html`<main class="login"><form onSubmit=${submit}><h1>Causeway</h1><p class="muted">Operator console</p>
    <${Field} label="Name"><input name="name" required autocomplete="username" autofocus /><//>
    <${Field} label="Token"><input name="token" type="password" required autocomplete="current-password" /><//>
    <${Fault} text=${fault} /><button>Log in</button>
    ${label !== null && html`<a class="button" href="/login/start">${label}</a>`}</form></main>`;
}

function Desk({ me, left }: { me: Me; left: () => void }) {
  const [hash, setHash] = useState(location.hash);
  useAddress(() => setHash(location.hash));
  useEffect(follow, []);
  const overview = useLoaded('/api/overview');
  const [, name = '', id = '', other] = pageOf(hash).split('/');
  const shown = details[name] ?? name;
  const logout = () => post('/api/logout', {}).then(left, left);
  useEffect(() => {
    document.title = `${pages[shown]?.[0] ?? 'Console'} · Causeway`;
    // On a phone the menu is wider than the screen.
    const here = document.querySelector<HTMLElement>('nav [aria-current]');
    here?.parentElement?.scrollTo({ left: here.offsetLeft - here.offsetWidth });
  }, [shown]);
  return html`<a class="skip" href="#content" onClick=${(event: Event) => {
    event.preventDefault();
    document.getElementById('content')?.focus();
  }}>To the content</a>
    <header class="top"><a class="brand" href="#/overview">Causeway</a><${Health} />
      <div class="who"><span title=${me.roles.join(', ') || 'may only look'}>${me.who}</span><button class="plain" onClick=${logout}>Log out</button></div></header>
    <nav aria-label="Pages">${Object.entries(pages).map(
      ([page, [title]]) =>
        (page !== 'nodes' || overview.value?.isShard) &&
        html`<a href=${`#/${page}`} aria-current=${page === shown ? 'page' : undefined}>${title}</a>`,
    )}</nav>
    <main id="content" tabindex="-1"><h1 class="unseen">${pages[shown]?.[0] ?? 'Console'}</h1>${shownPage(name, id, other, me)}</main><${Shortcuts} />`;
}

function shownPage(name: string, id: string, other: string | undefined, me: Me): unknown {
  if (name === 'session') return html`<${SessionPage} key=${id} name=${decoded(id)} me=${me} />`;
  if (name === 'order') return html`<${OrderPage} key=${id} orderKey=${decoded(id)} me=${me} />`;
  if (name === 'message')
    return html`<${MessagePage} key=${`${id} ${other}`} id=${id} other=${other || undefined} />`;
  const page = Object.hasOwn(pages, name) ? pages[name]?.[1] : undefined;
  return page === undefined
    ? html`<p class="empty">There is no such page.</p>`
    : html`<${page} me=${me} />`;
}

/** The bridge's health, on every page. */
function Health() {
  const isLive = useLive();
  const { error, value } = useLoaded(
    '/api/overview',
    {},
    ['venue', 'sessions', 'alarms', 'approvals'],
    isLive ? 10_000 : 2_000,
  );
  // An earlier green state may be wrong by now, so it is no longer displayed.
  if (error !== '')
    return html`<div class="health" role="alert"><${State} tone="bad">${error}: everything shown is from before<//></div>`;
  if (value === undefined) return html`<div class="health" role="status">…</div>`;
  const { alarms, approvals, environment, kills, loggedOn, notReady, sessions, venue } = value;
  const isReady = notReady.length === 0;
  return html`<div class="health" role="status">
    <a href="#/overview"><${State} tone=${isReady ? 'good' : 'bad'}><span title=${notReady.join('\n')}>${isReady ? 'ready' : (notReady[0] ?? '')}</span><//></a>
    ${venue !== 'open' && html`<a href="#/venue"><${State} tone="bad">venue ${words(venue)}<//></a>`}
    <a href="#/sessions"><${State} tone=${loggedOn > 0 ? 'good' : 'quiet'}>${loggedOn} of ${sessions} logged on<//></a>
    ${kills.length > 0 && html`<a href="#/risk"><${State} tone="bad">kill switch<//></a>`}
    ${alarms > 0 && html`<a href="#/alarms"><${State} tone="warn">${alarms} ${alarms === 1 ? 'alarm' : 'alarms'}<//></a>`}
    ${approvals > 0 && html`<a href="#/overview"><${State} tone="warn">${approvals} to approve<//></a>`}
    ${!isLive && html`<${State} tone="warn">not live<//>`}
    <span class="muted">${environment}</span></div>`;
}

const root = document.getElementById('app');
if (root !== null) render(html`<${App} />`, root);
