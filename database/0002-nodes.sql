-- Which nodes there are, which shard each of them serves, and to which shard accounts and sessions belong (docs/decisions/
-- 0287-nodes-own-shards-by-leases.md). As before, the bridge's role reads the tables and writes only through the functions.

-- Since when a shard has its owner: a shard that moved a moment ago stays where it is.
alter table causeway.shards add column taken_at timestamptz not null default clock_timestamp();

create table causeway.nodes (
  node text primary key,
  -- Differs for each process, so that two processes with the name of one node are noticed.
  instance text not null,
  -- Where other nodes and the clients of each protocol connect, as HOST:PORT, or empty.
  relay text not null,
  fix text not null,
  fixp text not null,
  version text not null,
  is_draining boolean not null,
  -- The shards whose workers take clients.
  serving text[] not null,
  renewed_at timestamptz not null
) with (fillfactor = 20);

-- An account or a session stays in its shard for ever, because its data does.
create table causeway.placement (
  kind text,
  name text,
  shard text not null,
  primary key (kind, name)
);

create or replace function causeway.take(
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
           renewed_at = clock_timestamp(), taken_at = clock_timestamp(), is_released = false
     where s.shard = in_shard and s.epoch = in_seen_epoch
       and (s.is_released
            or clock_timestamp() - s.renewed_at not between - in_lease and in_lease)
    returning s.epoch, s.position, s.digest;
end
$$;

-- Renews what a node says about itself. False if another process with its name has done so within a lease.
create function causeway.announce(
  in_node text,
  in_instance text,
  in_relay text,
  in_fix text,
  in_fixp text,
  in_version text,
  in_is_draining boolean,
  in_serving text[],
  in_lease interval
) returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into causeway.nodes as n
  values (in_node, in_instance, in_relay, in_fix, in_fixp, in_version, in_is_draining, in_serving,
          clock_timestamp())
      on conflict (node) do update
     set instance = excluded.instance, relay = excluded.relay, fix = excluded.fix,
         fixp = excluded.fixp, version = excluded.version, is_draining = excluded.is_draining,
         serving = excluded.serving, renewed_at = excluded.renewed_at
   where n.instance = in_instance
      or clock_timestamp() - n.renewed_at not between - in_lease and in_lease;
  return found;
end
$$;

-- The node has ended: the others need not wait until it counts as dead.
create function causeway.leave(in_node text, in_instance text) returns boolean
language sql security definer set search_path = pg_catalog as $$
  delete from causeway.nodes where node = in_node and instance = in_instance returning true
$$;

-- Places accounts and sessions that have no place yet. Returns those that have another one; then nothing is placed.
create function causeway.place(in_kinds text[], in_names text[], in_shards text[])
returns table (kind text, name text, shard text)
language plpgsql security definer set search_path = pg_catalog as $$
begin
  lock table causeway.placement in exclusive mode;
  return query
    select p.kind, p.name, p.shard
      from unnest(in_kinds, in_names, in_shards) as w (kind, name, shard)
      join causeway.placement p on p.kind = w.kind and p.name = w.name and p.shard <> w.shard
     order by p.kind, p.name;
  if not found then
    insert into causeway.placement
    select * from unnest(in_kinds, in_names, in_shards) on conflict do nothing;
  end if;
end
$$;

revoke execute on all functions in schema causeway from public;
