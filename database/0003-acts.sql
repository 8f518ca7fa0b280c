-- Acts of operators that all shards carry out, in the order of their numbers (docs/decisions/0289-kill-switch-and-limits-of-a-cluster.md).
-- What a shard has done is in its own records, stream 'shared-acts', behind the fence.

create table causeway.acts (
  id bigint primary key,
  -- The same when a node sends an act again, because it did not hear that it was recorded.
  uid text not null unique,
  at_ms bigint not null,
  act jsonb not null
);

-- Returns the number and the time of the act. The lock makes the numbers visible in their order: whoever has read one has read all
-- before it. A number is also above those that shards have brought from a data directory.
create function causeway.add_act(in_uid text, in_act jsonb)
returns table (id bigint, at_ms bigint)
language plpgsql security definer set search_path = pg_catalog as $$
declare
  now_ms bigint := floor(extract(epoch from clock_timestamp()) * 1000);
begin
  lock table causeway.acts in exclusive mode;
  if not exists (select from causeway.acts a where a.uid = in_uid) then
    insert into causeway.acts
    select greatest(
             now_ms,
             (select coalesce(max(a.id), 0) + 1 from causeway.acts a),
             (select coalesce(max((convert_from(r.payload, 'UTF8')::jsonb #>> '{numbered,id}')::bigint), 0) + 1
                from causeway.shards s
               cross join lateral (select l.payload from causeway.records l
                                    where l.shard = s.shard and l.stream = 'shared-acts'
                                    order by l.position desc limit 1) r)),
           in_uid, now_ms, in_act;
  end if;
  return query select a.id, a.at_ms from causeway.acts a where a.uid = in_uid;
end
$$;

revoke execute on all functions in schema causeway from public;
