/** Builds the web app into web/dist: bundled, the landing page written out, everything compressed once and for all. */
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

const web = join(import.meta.dirname, '../web')
const dist = join(web, 'dist')

/** A sheet up to this size is quicker inside the document than as a request of its own. */
const INLINE_BYTES = 16_384
const TOO_SMALL_TO_COMPRESS_BYTES = 200

function inlineSmallSheets(page: string) {
  const html = readFileSync(join(dist, page), 'utf8').replace(/\s*<link rel="stylesheet"[^>]*? href="([^"]+)">/g, (link, href: string) => {
    const file = join(dist, href)
    return statSync(file).size <= INLINE_BYTES ? `<style>${readFileSync(file, 'utf8').trim()}</style>` : link
  })
  writeFileSync(join(dist, page), html)
}

async function compress(file: string) {
  const bytes = readFileSync(join(dist, file))
  if (bytes.length < TOO_SMALL_TO_COMPRESS_BYTES) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  writeFileSync(join(dist, `${file}.br`), br)
  writeFileSync(join(dist, `${file}.gz`), gz)
}

await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn' })
for (const page of ['index.html', 'app.html']) inlineSmallSheets(page)
await Promise.all(globSync('**/*.{html,js,css,svg,json,webmanifest,txt}', { cwd: dist }).map(compress))
