import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport, type Plugin } from 'vite'

type PrerenderedModule = typeof import('../web/landing/prerendered.tsx')

const web = join(import.meta.dirname, '../web')
const read = (file: string) => readFileSync(join(web, file), 'utf8')

const DOCUMENTS: Record<string, string> = { '/login': '/login.html', '/sign': '/sign.html' }

/** Renders the landing page, the login page and the spinner into the HTML, so they are visible
 *  before any script runs. */
export function prerender(): Plugin {
  return {
    name: 'tatami-prerender',
    configureServer(server) {
      server.middlewares.use((request, _, next) => {
        const [path = ''] = (request.url ?? '').split('?', 1)
        // Like the production server, serves one page for all screens: all paths except those of
        // the API, of Vite (`/@…`) and of files (with a dot).
        const isPage =
          request.headers.accept?.includes('text/html') &&
          path !== '/' &&
          !/^\/(api\/|@)|\.[^/]*$/.test(path)
        if (isPage) request.url = DOCUMENTS[path] ?? '/app.html'
        next()
      })
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const { module } = await runnerImport<PrerenderedModule>('/landing/prerendered.tsx', {
          root: web,
          configFile: false,
        })
        const contents: Record<string, string> = { head: read('head.html').trim(), ...module }
        return (
          html
            .replace(/<!--(\w+)-->/g, (comment, name: string) => contents[name] ?? comment)
            // Inline styles apply before any other file has arrived.
            .replace(
              /<style src="([^"]+)"><\/style>/g,
              (_, sheet: string) => `<style>${read(sheet)}</style>`,
            )
        )
      },
    },
  }
}
