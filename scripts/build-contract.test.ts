import { globSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '@tatami/contract/api'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { contractParts } from './build-contract.ts'

const CONTRACT = join(import.meta.dirname, '../contract')

async function bundleCode(entry: string): Promise<string> {
  const id = join(import.meta.dirname, '../web/entry.ts')
  const entryModule = {
    name: 'entry',
    resolveId: (source: string) => (source === id ? id : undefined),
    load: (source: string) => (source === id ? entry : undefined),
  }
  const buildResult = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [entryModule, contractParts()],
    build: { write: false, minify: false, lib: { entry: id, formats: ['es'] } },
  })) as Rolldown.RolldownOutput[]
  return buildResult[0]!.output[0].code
}
const importCode = async <Module>(code: string) =>
  (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Module

test('gives the browser the fields of each endpoint that it needs, without zod', async () => {
  const code = await bundleCode(`export { endpoints } from '${CONTRACT}/api.ts'`)
  expect(code).not.toMatch(/zod/i)
  const bundledContract = await importCode<{ endpoints: Endpoint[] }>(code)
  expect(bundledContract.endpoints).toEqual(
    endpoints.map(
      ({ method, path, access, right, readOnly, duringPreview, polled, idempotent }) => ({
        method,
        path,
        access,
        ...(right && { right }),
        ...(readOnly && { readOnly }),
        ...(duringPreview && { duringPreview }),
        ...(polled && { polled }),
        ...(idempotent && { idempotent }),
      }),
    ),
  )
})

test('gives a form the same schema as the server, and a helper from its module', async () => {
  const code = await bundleCode(`import { type Student } from '@tatami/contract/students/students'
import { studentUpdate, isFallbackClass } from '@tatami/contract/students/student-form'
export { studentUpdate, isFallbackClass }`)
  const { studentUpdate } = await import('@tatami/contract/students/student-form')
  const bundledContract = await importCode<{
    studentUpdate: typeof studentUpdate
    isFallbackClass: (id: string) => boolean
  }>(code)
  expect(bundledContract.studentUpdate.safeParse({}).error?.issues).toEqual(
    studentUpdate.safeParse({}).error?.issues,
  )
  expect(bundledContract.isFallbackClass('saturday')).toBe(true)
})

test('leaves zod out of the modules that every screen loads', async () => {
  const files = globSync(`${CONTRACT}/**/*.ts`, {
    exclude: ['**/node_modules/**', '**/test/**', '**/*.test.ts'],
  })
  const exportLines = files.map((file, index) => `export * as module${index} from '${file}'`)
  expect(await bundleCode(exportLines.join('\n'))).not.toMatch(/zod/i)
})

test('refuses a parameter with the same name as a schema', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'contract-')), 'phones.ts')
  writeFileSync(
    file,
    `import { z } from 'zod'
    export const phone = z.string()
    export const areaOf = (phone: string) => phone.slice(0, 3)`,
  )
  const { handler } = contractParts().load as { handler: (id: string) => unknown }
  expect(() => handler(file)).toThrow('areaOf has a variable or parameter with the name of')
})
