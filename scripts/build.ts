/** Builds the web app into web/dist: bundled, the landing page written out, everything compressed once and for all. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

const web = join(import.meta.dirname, '../web')
const dist = join(web, 'dist')

const TOO_SMALL_TO_COMPRESS_BYTES = 200

async function compress(file: string) {
  const bytes = readFileSync(join(dist, file))
  if (bytes.length < TOO_SMALL_TO_COMPRESS_BYTES) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  writeFileSync(join(dist, `${file}.br`), br)
  writeFileSync(join(dist, `${file}.gz`), gz)
}

await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn' })
await Promise.all(globSync('**/*.{html,js,css,svg,json,webmanifest,txt}', { cwd: dist }).map(compress))
