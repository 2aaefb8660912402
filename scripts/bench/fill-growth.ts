import { sql } from 'kysely'
import { connectDatabase } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Db } from '../../src/db/schema.ts'
import { createProgress } from '../../src/lib/progress.ts'
import { describeSubmissions } from '../../src/submissions/search/describe-submissions.ts'
import { insertSearchWords } from '../../src/submissions/search/search-store.ts'

const SUBMISSIONS = 1_000_000
const DESCRIBED_AT_ONCE = 2_000

const STATEMENTS = `
set local synchronous_commit = off;
insert into forms (slug, name) values ('quote','Quote');
insert into form_webhooks (form_id, name, url, enabled) select id, 'CRM', 'https://127.0.0.1:9/', 1 from forms;
alter table form_submissions disable trigger all; alter table webhook_deliveries disable trigger all; alter table delivery_attempts disable trigger all;
insert into taxonomy_terms (taxonomy_id, slug, name, position) select (select id from taxonomies where slug='locations'), 'place-'||n, 'Place '||n, n from generate_series(0,999) n;
insert into content_entries (type_id, slug, title, status, data_json) select (select id from content_types where slug='services'), 'service-'||n, 'Service '||n, 'published','{}' from generate_series(0,99) n;
insert into content_entries (type_id, is_generated, slug, title, status, data_json) select (select id from content_types where slug='location_services'), case when n%20=0 then 0 else 1 end, 'service-'||(n%100)||'/place-'||((n/100)%1000), '', 'published', json_build_object('service_entry_id',(select min(id) from content_entries where slug='service-0')+n%100,'location_term_id',(select min(id) from taxonomy_terms where slug='place-0')+(n/100)%1000)::text from generate_series(0,99999) n;
insert into form_submissions (form_id, status, data_json, client_id, form_version, source, page_path, service_slug, service_name, service_id, location_slug, location_name, location_path, location_id, submitted_at)
 select case when n%3=0 then (select id from forms where slug='quote') else 1 end, case when n>999800 then 'new' else (array['archived','archived','archived','archived','archived','archived','read','read','spam','new'])[1+n%10] end,
 json_build_object('full_name',(array['Ann','Bob','Carla','Dmitri','Eve','Farid','Grace','Hugo','Ines','Jürgen','Kira','Liam'])[1+n%12]||' '||(array['Archer','Builder','Costa','Diaz','Evans','Fischer','Garcia','Hopper','Ito','Klein'])[1+(n/7)%10],'email','person'||n||'@example.com','phone','+1 512 555 '||lpad((n%10000)::text,4,'0'),'role','owner','bottleneck','The unit in the '||(array['bathroom','kitchen'])[1+n%2]||' leaks since '||(n%30)||' days, please call back.')::text,
 'old-'||n, 1, (array['direct','search:google','ads:google','referral:example.org','search:bing'])[1+(n/3)%5], '/services/service-'||(n%100)||'/place-'||place, 'service-'||(n%100), 'Service '||(n%100), (select min(id) from content_entries where slug='service-0')+n%100, 'place-'||place, 'Place '||place, 'place-'||place, (select min(id) from taxonomy_terms where slug='place-0')+place,
 to_char(now() at time zone 'utc' - (${SUBMISSIONS}-n)*interval '60 seconds','YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
 from (select n, (n+n/1000)%1000 as place from generate_series(0,${SUBMISSIONS - 1}) n) as numbered;
insert into lead_counts (period, dimension, subject, place, leads)
 select substr(submitted_at, 1, size), dimension, case dimension when 'all' then '' when 'service' then '#'||service_id when 'source' then source else page_path end, '#'||place, count(*)
 from form_submissions, (values ('all',10),('all',7),('all',4),('service',7),('service',4),('source',7),('source',4),('page',7),('page',4)) as sums (dimension, size),
 lateral (values (location_id::text), ('')) as places (place)
 where status <> 'spam' group by 1, 2, 3, 4;
insert into webhook_deliveries (submission_id, form_id, webhook_id, status, created_at, message_id, attempt_count, finished_at)
 select s.id, s.form_id, (select id from form_webhooks w where w.form_id=s.form_id limit 1), case when (s.id+k)%50=0 then 'failed' else 'delivered' end, s.submitted_at, 'msg_'||s.id||'_'||k, 1+(s.id%4)::int, s.submitted_at from form_submissions s, generate_series(1,2) k;
insert into delivery_attempts (delivery_id, attempt_number, started_at, duration_ms, request_url, response_status, request_method, response_body)
 select d.id, a, d.created_at, (d.id%500)::int, 'https://127.0.0.1:9/', 200, 'POST', 'ok' from webhook_deliveries d, generate_series(1, d.attempt_count) a;
alter table form_submissions enable trigger all; alter table webhook_deliveries enable trigger all; alter table delivery_attempts enable trigger all`

/**
 * Fills an empty PostgreSQL database within minutes: a million submissions with their index words and sums, two
 * million deliveries, five million attempts, and a hundred thousand entries. Leaves a database with submissions
 * unchanged.
 */
export async function fillGrowth(databaseUrl: string): Promise<void> {
  const db = connectDatabase(databaseUrl)
  await migrate(db)
  const { rows } = await sql`select 1 from form_submissions limit 1`.execute(db)
  if (rows.length === 0)
    await db.transaction().execute(async (trx) => {
      for (const statement of STATEMENTS.split(/;\n/)) await sql.raw(statement).execute(trx)
      await fillWords(trx)
    })
  await sql`vacuum analyze`.execute(db)
  await db.destroy()
}

async function fillWords(db: Db) {
  const { rows } = await sql<{ sql: string }>`select indexdef as sql from pg_indexes
    where indexname = 'submission_search_words'`.execute(db)
  await sql`drop index submission_search_words`.execute(db)
  const progress = createProgress('Describing submissions')
  for (let first = 0; first <= SUBMISSIONS; first += DESCRIBED_AT_ONCE) {
    const ids = Array.from({ length: DESCRIBED_AT_ONCE }, (_, index) => first + index)
    await insertSearchWords(db, await describeSubmissions(db, ids))
    progress.update(Math.min(first + DESCRIBED_AT_ONCE, SUBMISSIONS), SUBMISSIONS)
  }
  progress.finish()
  await sql.raw(rows[0]?.sql ?? '').execute(db)
}
