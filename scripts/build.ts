/** Builds the web app into web/dist: bundled, the landing page prerendered, every file compressed once. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

const web = join(import.meta.dirname, '../web')
const dist = join(web, 'dist')

const MIN_COMPRESSED_BYTES = 200

async function compress(file: string) {
  const bytes = readFileSync(join(dist, file))
  if (bytes.length < MIN_COMPRESSED_BYTES) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  writeFileSync(join(dist, `${file}.br`), br)
  writeFileSync(join(dist, `${file}.gz`), gz)
}

type Chunk = { file: string; imports?: string[] }

/** Chunks that import each other: the first to run would use the other before it is evaluated, and the page would crash. */
function circularChunks(): string[] {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (manifest[from]?.imports ?? []).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))))
  return Object.keys(manifest)
    .filter((name) => reaches(name, name))
    .map((name) => manifest[name]!.file)
}

await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn' })
const circular = circularChunks()
if (circular.length > 0) throw new Error(`These chunks import each other: ${circular.join(', ')}. See CHUNKS in web/vite.config.ts.`)
await Promise.all(globSync('**/*.{html,js,css,svg,json,webmanifest,txt}', { cwd: dist }).map(compress))
