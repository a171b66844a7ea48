import { join } from 'node:path'
import { runnerImport, type Plugin } from 'vite'

type Parts = typeof import('../web/landing/prerendered.tsx')

/** Writes the landing page and the spinner into the HTML, so that both are there before any script. */
export function prerender(): Plugin {
  return {
    name: 'tatami-prerender',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const isPage = request.headers.accept?.includes('text/html') && !/^\/(api\/|@)|\.\w+($|\?)/.test(request.url ?? '')
        if (isPage && !/^\/($|\?)/.test(request.url ?? '')) request.url = '/app.html'
        next()
      })
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const { module } = await runnerImport<Parts>('/landing/prerendered.tsx', { root: join(import.meta.dirname, '../web'), configFile: false })
        return html.replace('<!--loading-->', module.loading).replace('<!--landing-->', module.landing)
      },
    },
  }
}
