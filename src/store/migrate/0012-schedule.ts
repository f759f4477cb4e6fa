import type { Step } from './step.ts';

/**
 * When a draft is to be published (R50). The index has only the drafts that wait: finding the next one costs the same
 * however many versions there are. A new schedule touches the product, but nothing public and no `updated_at`.
 */
export const SCHEDULE: Step = {
  name: '0012_schedule',
  sqlite: [
    `alter table versions add column publish_at text
  constraint versions_schedule_form check (publish_at like '____-__-__T__:__:__.___Z'
  and substr(publish_at, 1, 4) between '0000' and '9999'
  and substr(publish_at, 6, 2) between '01' and '12'
  and substr(publish_at, 9, 2) between '01' and '31'
  and substr(publish_at, 12, 2) between '00' and '23'
  and substr(publish_at, 15, 2) between '00' and '59'
  and substr(publish_at, 18, 2) between '00' and '59')
  constraint versions_scheduled_is_draft check (publish_at is null or status = 'draft')`,
    `create index versions_scheduled on versions (publish_at) where publish_at is not null`,
    `drop trigger versions_touch_on_update`,
    `create trigger versions_touch_on_update after update of id, changelog_id, label, title, status, published_at, description, yanked, created_order, updated_at, publish_at on versions
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, r.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select old.changelog_id as changelog_id, old.status as status) r \
join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision);\
insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, r.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select new.changelog_id as changelog_id, new.status as status) r \
join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
  ],
  postgres: [
    `alter table versions add column publish_at text collate "C"
  constraint versions_schedule_form check (publish_at like '____-__-__T__:__:__.___Z'
  and substr(publish_at, 1, 4) between '0000' and '9999'
  and substr(publish_at, 6, 2) between '01' and '12'
  and substr(publish_at, 9, 2) between '01' and '31'
  and substr(publish_at, 12, 2) between '00' and '23'
  and substr(publish_at, 15, 2) between '00' and '59'
  and substr(publish_at, 18, 2) between '00' and '59')
  constraint versions_scheduled_is_draft check (publish_at is null or status = 'draft')`,
    `create index versions_scheduled on versions (publish_at) where publish_at is not null`,
  ],
};
