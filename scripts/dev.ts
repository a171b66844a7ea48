/** Serves the API and the web app at one address, and reloads them on change (`npm run dev`). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { createServer as createViteServer } from 'vite'
import { readEnv } from '../server/env.ts'
import { StartupError } from '../server/lib/startup-error.ts'

const root = join(import.meta.dirname, '..')

async function findFreePort(): Promise<number> {
  const probe = createTcpServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (typeof address !== 'object' || !address) throw new Error('There is no free port.')
  return address.port
}

async function develop() {
  const { host, port, publicUrl } = readEnv()
  const serverPort = await findFreePort()
  const http = createHttpServer()
  http.listen(port, host)
  await once(http, 'listening')
  // Without `middlewareMode`, Vite would exit on SIGTERM before the API finishes its requests.
  const web = await createViteServer({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'warn',
    server: {
      middlewareMode: true,
      ws: { server: http },
      proxy: { '/api': `http://127.0.0.1:${serverPort}` },
    },
  })
  http.on('request', web.middlewares)
  // The server prints PUBLIC_URL, so it has to be the address of the API and the web app.
  const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: `${serverPort}`,
      PUBLIC_URL: publicUrl,
      API_ONLY: '1',
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
  await once(server, 'exit')
  await web.close()
  http.closeAllConnections()
  http.close()
}

await develop().catch((error: unknown) => {
  const isExpected =
    error instanceof StartupError ||
    (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
  console.error(isExpected ? error.message : error)
  process.exitCode = 1
})
