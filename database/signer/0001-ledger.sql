-- The signers' record of what was signed (docs/decisions/0285-ledger-of-the-signer.md). A signer's role reads the tables and
-- calls the functions; it can neither change nor delete a row. Whoever owns these tables can do both.

create table causeway_signer.ledger (
  is_only boolean primary key default true check (is_only),
  id bytea not null check (length(id) = 16),
  environment text not null,
  -- Entries that there ever were, and the start of SHA-256 over all of them: the anchor that the bridges keep.
  entries bigint not null default 0,
  chain bytea not null default '\x00000000000000000000000000000000',
  recorded_at timestamptz not null default clock_timestamp()
) with (fillfactor = 20);

create table causeway_signer.accounts (
  account bytea primary key check (length(account) = 20),
  -- Of all nonces that were signed, -1 before the first; nothing 4,096 below it is signed any more.
  highest bigint not null default -1,
  -- What the journal of a bridge has recalled: nothing new is signed below it.
  floor bigint not null default 0,
  -- The last day, from 1970-01-01, UTC, on which something was placed: no earlier one begins again.
  day integer not null default 0
) with (fillfactor = 50);

create table causeway_signer.nonces (
  account bytea,
  nonce bigint,
  digest bytea not null check (length(digest) = 32),
  -- Its number among all entries, and the chain after it.
  entry bigint not null unique,
  chain bytea not null,
  primary key (account, nonce)
);

-- What was placed in a market on the day.
create table causeway_signer.totals (
  account bytea,
  market bigint,
  day integer not null,
  buy numeric not null,
  sell numeric not null,
  notional numeric not null,
  primary key (account, market)
) with (fillfactor = 50);

-- Makes the ledger of this database; if there is one already, nothing happens.
create function causeway_signer.create_ledger(in_id bytea, in_environment text) returns void
language sql security definer set search_path = pg_catalog as $$
  insert into causeway_signer.ledger (id, environment) values (in_id, in_environment)
      on conflict do nothing
$$;

-- Records claims, each or not, in their order, and returns for each what became of it: `new`, `same`, or a refusal with its reason.
-- A claim that was recorded before is `same`, so a group whose answer was lost can be sent again. The row of the ledger is locked
-- first: signers take turns, so that each sees what the one before has recorded. It is written even if nothing is new, because the
-- answer must wait for the standby that has what it tells. `in_entries` and `in_chain` are what this signer has seen.
create function causeway_signer.record(
  in_id bytea,
  in_entries bigint,
  in_chain bytea,
  in_claims jsonb
) returns table (verdicts text[], entries bigint, chain bytea, is_replicated boolean)
language plpgsql security definer set search_path = pg_catalog as $$
declare
  ledger causeway_signer.ledger;
  known causeway_signer.accounts;
  spent causeway_signer.totals;
  claim record;
  earlier bytea;
  verdict text;
  all_verdicts text[] := '{}';
begin
  select * into ledger from causeway_signer.ledger l where l.id = in_id for update;
  if not found then
    raise exception 'the database has another ledger, or none' using errcode = 'CW002';
  end if;
  if ledger.entries < in_entries or (ledger.entries = in_entries and ledger.chain <> in_chain)
     or exists (select from causeway_signer.nonces n where n.entry = in_entries and n.chain <> in_chain) then
    raise exception 'the ledger was set back or changed: it has % entries, and this signer has seen %',
      ledger.entries, in_entries using errcode = 'CW002';
  end if;
  for claim in
    select decode(c.account, 'hex') as account, decode(c.digest, 'hex') as digest, c.nonce, c.floor, c.newest,
           c.may_be_new, c.max_jump, c.market, c.day, c.buy, c.sell, c.notional,
           c.most_buy, c.most_sell, c.most_notional
      from jsonb_to_recordset(in_claims)
        as c (account text, digest text, nonce bigint, floor bigint, newest bigint, may_be_new boolean,
              max_jump bigint, market bigint, day integer, buy numeric, sell numeric, notional numeric,
              most_buy numeric, most_sell numeric, most_notional numeric)
  loop
    select * into known from causeway_signer.accounts a where a.account = claim.account;
    if not found then
      known := row(claim.account, -1, 0, 0)::causeway_signer.accounts;
    end if;
    known.floor := greatest(known.floor, claim.floor);
    select n.digest into earlier from causeway_signer.nonces n
     where n.account = claim.account and n.nonce = claim.nonce;
    verdict := case
      when claim.nonce + 4096 <= known.highest then 'nonce_too_old'
      when earlier = claim.digest then 'same'
      when earlier is not null then 'other_digest'
      when claim.nonce < known.floor then 'nonce_too_old'
      when not claim.may_be_new then 'unknown'
      when greatest(known.highest, claim.newest) >= 0
       and claim.nonce - greatest(known.highest, claim.newest) > claim.max_jump
        then format('policy nonce %s is %s above all others, more than %s', claim.nonce,
                    claim.nonce - greatest(known.highest, claim.newest), claim.max_jump)
      when claim.day > (clock_timestamp() at time zone 'UTC')::date - date '1970-01-01' + 1
        then 'policy the clock of the signer is more than a day ahead of the database'
      else 'new' end;
    if verdict = 'new' then
      known.day := greatest(known.day, claim.day);
      select * into spent from causeway_signer.totals t
       where t.account = claim.account and t.market = claim.market and t.day = known.day;
      if not found then
        spent := row(claim.account, claim.market, known.day, 0, 0, 0)::causeway_signer.totals;
      end if;
      spent.buy := spent.buy + claim.buy;
      spent.sell := spent.sell + claim.sell;
      spent.notional := spent.notional + claim.notional;
      verdict := case
        when claim.buy > 0 and spent.buy > claim.most_buy
          then format('policy Bid quantity %s is over %s in market %s today', spent.buy, claim.most_buy, claim.market)
        when claim.sell > 0 and spent.sell > claim.most_sell
          then format('policy Ask quantity %s is over %s in market %s today', spent.sell, claim.most_sell, claim.market)
        when spent.notional > claim.most_notional
          then format('policy notional %s is over %s in market %s today', spent.notional, claim.most_notional, claim.market)
        else 'new' end;
    end if;
    if verdict = 'new' then
      ledger.entries := ledger.entries + 1;
      ledger.chain := substring(sha256(ledger.chain || claim.account || int8send(claim.nonce) || claim.digest) for 16);
      insert into causeway_signer.nonces
      values (claim.account, claim.nonce, claim.digest, ledger.entries, ledger.chain);
      insert into causeway_signer.accounts
      values (known.account, greatest(known.highest, claim.nonce), known.floor, known.day)
          on conflict (account) do update
         set highest = excluded.highest, floor = excluded.floor, day = excluded.day;
      insert into causeway_signer.totals select spent.*
          on conflict (account, market) do update
         set day = excluded.day, buy = excluded.buy, sell = excluded.sell, notional = excluded.notional;
    end if;
    all_verdicts := all_verdicts || verdict;
  end loop;
  update causeway_signer.ledger l
     set entries = ledger.entries, chain = ledger.chain, recorded_at = clock_timestamp()
   where l.id = in_id;
  return query
    select all_verdicts, ledger.entries, ledger.chain, current_setting('synchronous_standby_names') <> '';
end
$$;

-- Deletes nonces that can never be signed again, at most `in_rows`, and returns how many there were.
create function causeway_signer.tidy(in_rows integer) returns bigint
language plpgsql security definer set search_path = pg_catalog as $$
declare
  deleted bigint;
begin
  delete from causeway_signer.nonces where ctid = any (array(
    select n.ctid from causeway_signer.accounts a
      join causeway_signer.nonces n using (account)
     where n.nonce + 4096 <= a.highest
     limit in_rows for update of n skip locked));
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

revoke execute on all functions in schema causeway_signer from public;
