/** The baseline: what Fastify alone can do on this machine, answering the bytes of a file. */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

const [port, file] = process.argv.slice(2)
const bytes = readFileSync(file!, 'utf8')
const http = Fastify()
http.all('*', (_, reply) => reply.type('application/json; charset=utf-8').send(bytes))
await http.listen({ port: Number(port), host: '127.0.0.1' })
