/** The baseline: a minimal Fastify server. A GET returns the text of a file, or 304. A POST runs
 *  one prepared insert. */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'

const [port, file, databaseUrl] = process.argv.slice(2)
const CONNECTIONS = 10
const fileText = readFileSync(file!, 'utf8')
const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS })
await pool.query(`create table if not exists bare_marks (
  student_id uuid, class_id uuid, class_date date, present boolean, primary key (student_id,
    class_id, class_date))`)

type Mark = { student_id: string; class_id: string; class_date: string; present: boolean }
const INSERT = `insert into bare_marks values ($1, $2, $3, $4)
  on conflict (student_id, class_id, class_date) do update set present = excluded.present`

const http = Fastify()
http.get('*', (request, reply) =>
  request.headers['if-none-match']
    ? reply.status(304).send()
    : reply.type('application/json; charset=utf-8').send(fileText),
)
http.post<{ Body: Mark }>('*', async ({ body }, reply) => {
  await pool.query({
    name: 'mark',
    text: INSERT,
    values: [body.student_id, body.class_id, body.class_date.slice(0, 10), body.present],
  })
  return reply.type('application/json; charset=utf-8').send(fileText)
})
await http.listen({ port: Number(port), host: '127.0.0.1' })
