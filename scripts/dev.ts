/** Serves API and web app at one address and reloads on change. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttp } from 'node:http'
import { createServer as createPort, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'vite'
import { readEnv } from '../server/env.ts'
import { StartupError } from '../server/lib/startup-error.ts'

const root = join(import.meta.dirname, '..')

async function freePort(): Promise<number> {
  const probe = createPort().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

async function develop() {
  const { host, port, publicUrl } = readEnv()
  const serverPort = await freePort()
  const http = createHttp()
  http.listen(port, host)
  await once(http, 'listening')
  // Vite's own server would exit at once on SIGTERM, before the API server has finished its
  // requests.
  const web = await createServer({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'warn',
    server: {
      middlewareMode: true,
      ws: { server: http },
      proxy: { '/api': `http://127.0.0.1:${serverPort}` },
    },
  })
  http.on('request', web.middlewares)
  // The server prints PUBLIC_URL, which serves both.
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
