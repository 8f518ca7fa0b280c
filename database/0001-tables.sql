-- What a shard of the bridge records (docs/decisions/0280-shards-nodes-and-postgresql.md). Every table begins with the shard,
-- so that several bridges can share one database. The bridge's role reads the tables and calls the functions; it cannot write a
-- row past the fence in `commit`.

create table causeway.shards (
  shard text primary key,
  -- Who owns the shard: each opening has the next epoch, and no commit of an earlier one succeeds.
  epoch bigint not null default 0,
  -- How many commits there were, and the sum of all of them: what a lost reply is settled by.
  position bigint not null default 0,
  digest bytea not null default '',
  node text not null default '',
  address text not null default '',
  renewed_at timestamptz not null default clock_timestamp(),
  is_released boolean not null default true
) with (fillfactor = 20);

create table causeway.streams (
  shard text,
  stream text,
  -- Records up to this position are forgotten, whether they are deleted yet or not.
  forgotten_to bigint not null,
  primary key (shard, stream)
);

create table causeway.records (
  shard text,
  stream text,
  position bigint,
  payload bytea not null,
  primary key (shard, stream, position)
);

create table causeway.snapshots (
  shard text,
  stream text,
  position bigint not null,
  payload bytea not null,
  primary key (shard, stream)
);

create table causeway.sessions (
  shard text,
  session text,
  -- How often the numbers were reset: messages of an earlier numbering no longer count.
  numbering bigint not null,
  next_in bigint not null,
  next_out bigint not null,
  oldest_kept bigint not null,
  kept_bytes bigint not null,
  released_to bigint not null,
  held_to bigint not null,
  period_start_ms bigint not null,
  primary key (shard, session)
) with (fillfactor = 50);

create table causeway.messages (
  shard text,
  session text,
  numbering bigint,
  seq bigint,
  bytes bytea not null,
  primary key (shard, session, numbering, seq)
);

create table causeway.held (
  shard text,
  session text,
  position bigint,
  bytes bytea not null,
  primary key (shard, session, position)
);

create table causeway.cursors (
  shard text,
  cursor text,
  value bigint not null,
  primary key (shard, cursor)
) with (fillfactor = 50);

-- One group of commits: all of it or nothing. `in_writes` has an array of rows for each table that changes; contents lie one
-- behind the other in `in_contents`. True if commits wait for a standby.
create function causeway.commit(
  in_shard text,
  in_epoch bigint,
  in_position bigint,
  in_digest bytea,
  in_writes jsonb,
  in_contents bytea
) returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
begin
  update causeway.shards
     set position = in_position + 1, digest = in_digest, renewed_at = clock_timestamp()
   where shard = in_shard and epoch = in_epoch and position = in_position;
  if not found then
    raise exception 'shard % has another owner, or is not at position %', in_shard, in_position
      using errcode = 'CW001';
  end if;
  if in_writes ? 'streams' then
    insert into causeway.streams
    select in_shard, w.stream, w.forgotten_to
      from jsonb_to_recordset(in_writes -> 'streams') as w (stream text, forgotten_to bigint)
        on conflict (shard, stream) do update set forgotten_to = excluded.forgotten_to;
  end if;
  if in_writes ? 'records' then
    insert into causeway.records
    select in_shard, w.stream, w.position, substring(in_contents from w.at for w.length)
      from jsonb_to_recordset(in_writes -> 'records')
        as w (stream text, position bigint, at integer, length integer);
  end if;
  if in_writes ? 'snapshots' then
    insert into causeway.snapshots
    select in_shard, w.stream, w.position, substring(in_contents from w.at for w.length)
      from jsonb_to_recordset(in_writes -> 'snapshots')
        as w (stream text, position bigint, at integer, length integer)
        on conflict (shard, stream) do update
       set position = excluded.position, payload = excluded.payload;
  end if;
  if in_writes ? 'sessions' then
    insert into causeway.sessions
    select in_shard, w.*
      from jsonb_to_recordset(in_writes -> 'sessions')
        as w (session text, numbering bigint, next_in bigint, next_out bigint, oldest_kept bigint,
              kept_bytes bigint, released_to bigint, held_to bigint, period_start_ms bigint)
        on conflict (shard, session) do update
       set numbering = excluded.numbering, next_in = excluded.next_in, next_out = excluded.next_out,
           oldest_kept = excluded.oldest_kept, kept_bytes = excluded.kept_bytes,
           released_to = excluded.released_to, held_to = excluded.held_to,
           period_start_ms = excluded.period_start_ms;
  end if;
  if in_writes ? 'messages' then
    insert into causeway.messages
    select in_shard, w.session, w.numbering, w.seq, substring(in_contents from w.at for w.length)
      from jsonb_to_recordset(in_writes -> 'messages')
        as w (session text, numbering bigint, seq bigint, at integer, length integer);
  end if;
  if in_writes ? 'held' then
    insert into causeway.held
    select in_shard, w.session, w.position, substring(in_contents from w.at for w.length)
      from jsonb_to_recordset(in_writes -> 'held')
        as w (session text, position bigint, at integer, length integer);
  end if;
  if in_writes ? 'released' then
    delete from causeway.held h
     using jsonb_to_recordset(in_writes -> 'released') as w (session text, position bigint)
     where h.shard = in_shard and h.session = w.session and h.position <= w.position;
  end if;
  if in_writes ? 'cursors' then
    insert into causeway.cursors
    select in_shard, w.cursor, w.value
      from jsonb_to_recordset(in_writes -> 'cursors') as w (cursor text, value bigint)
        on conflict (shard, cursor) do update set value = excluded.value;
  end if;
  return current_setting('synchronous_standby_names') <> '';
end
$$;

-- Makes the caller the owner if the shard still has the epoch that it saw, and nobody's lease is valid. A lease from the future
-- is another server's clock, and not valid. No age lies within a lease below zero: so a caller forces it.
create function causeway.take(
  in_shard text,
  in_seen_epoch bigint,
  in_lease interval,
  in_node text,
  in_address text
) returns table (epoch bigint, "position" bigint, digest bytea)
language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into causeway.shards as s (shard) values (in_shard) on conflict (shard) do nothing;
  return query
    update causeway.shards s
       set epoch = s.epoch + 1, node = in_node, address = in_address,
           renewed_at = clock_timestamp(), is_released = false
     where s.shard = in_shard and s.epoch = in_seen_epoch
       and (s.is_released
            or clock_timestamp() - s.renewed_at not between - in_lease and in_lease)
    returning s.epoch, s.position, s.digest;
end
$$;

-- Proves by a write that the shard still has this owner, and returns its last commit.
create function causeway.renew(in_shard text, in_epoch bigint)
returns table ("position" bigint, digest bytea, is_replicated boolean)
language sql security definer set search_path = pg_catalog as $$
  update causeway.shards s set renewed_at = clock_timestamp()
   where s.shard = in_shard and s.epoch = in_epoch
  returning s.position, s.digest, current_setting('synchronous_standby_names') <> ''
$$;

-- The owner has ended: another one need not wait for the lease.
create function causeway.release(in_shard text, in_epoch bigint) returns boolean
language sql security definer set search_path = pg_catalog as $$
  update causeway.shards set is_released = true where shard = in_shard and epoch = in_epoch
  returning true
$$;

-- Deletes rows that no longer count, at most `in_rows` of each table, and returns how many there were.
create function causeway.tidy(in_shard text, in_streams text[], in_sessions text[], in_rows integer)
returns bigint
language plpgsql security definer set search_path = pg_catalog as $$
declare
  deleted bigint;
  total bigint := 0;
begin
  delete from causeway.records where ctid = any (array(
    select r.ctid from causeway.streams s
      join causeway.records r using (shard, stream)
     where s.shard = in_shard and s.stream = any (in_streams) and r.position <= s.forgotten_to
     limit in_rows));
  get diagnostics deleted = row_count;
  total := total + deleted;
  delete from causeway.messages where ctid = any (array(
    select m.ctid from causeway.sessions s
      join causeway.messages m using (shard, session)
     where s.shard = in_shard and s.session = any (in_sessions)
       and (m.numbering, m.seq) < (s.numbering, s.oldest_kept)
     limit in_rows));
  get diagnostics deleted = row_count;
  return total + deleted;
end
$$;

revoke execute on all functions in schema causeway from public;
