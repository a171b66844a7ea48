import { expect, test } from 'vitest'
import { signatures } from '../documents/tables.ts'
import { setClock } from '../test/clock.ts'
import { publishDocument, readStates } from '../test/document-dojo.ts'
import { importBodyOfCsv, requireOk } from '../test/sheets.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

async function createDojo() {
  setClock('2026-11-26T18:00:00Z')
  return server.createSensei()
}

const SHEET = importBodyOfCsv(`Name,Email,Birthday,Waiver signed on
Ken Adams,ken@home.org,3/4/1990,9/1/2026
Leo Park,leo@home.org,3/1/2016,10/2/2026
Mia Ruiz,mia@home.org,5/5/1991,`)

const importSheet = async (sensei: Sensei) =>
  requireOk(await sensei.post('/student-imports', SHEET))

async function findStudentId(sensei: Sensei, name: string): Promise<string> {
  const { body } = await sensei.get('/students')
  return body.find((student: { name: string }) => student.name === name).id
}

const readSignatures = async (sensei: Sensei, name: string) =>
  (await sensei.get(`/students/${await findStudentId(sensei, name)}/documents`)).body.signatures

const countSignatures = (sensei: Sensei) =>
  server.db.inDojo(sensei.dojoId, (tx) => tx.$count(signatures))

test('the day of the only waiver becomes a signature on paper without a PDF', async () => {
  const sensei = await createDojo()
  await publishDocument(sensei)
  await importSheet(sensei)
  expect(await readSignatures(sensei, 'Ken Adams')).toMatchObject([
    {
      channel: 'paper',
      signer_name: 'Ken Adams',
      signed_at: '2026-09-01T17:00:00.000Z',
      pdf_hash: null,
    },
  ])
  expect(await readSignatures(sensei, 'Leo Park')).toMatchObject([
    { channel: 'paper', signer_name: 'Not named in the import' },
  ])
  expect(await readStates(sensei, await findStudentId(sensei, 'Leo Park'))).toEqual(['signed'])
  expect(await readStates(sensei, await findStudentId(sensei, 'Mia Ruiz'))).toEqual(['missing'])
})

test('undoing the import deletes these signatures', async () => {
  const sensei = await createDojo()
  await publishDocument(sensei)
  const { import: storedImport } = await importSheet(sensei)
  expect(await countSignatures(sensei)).toBe(2)
  await sensei.post(`/student-imports/${storedImport.id}/undo`)
  expect(await countSignatures(sensei)).toBe(0)
})

test('importing the same sheet again signs nothing twice', async () => {
  const sensei = await createDojo()
  await publishDocument(sensei)
  await importSheet(sensei)
  await importSheet(sensei)
  expect(await readSignatures(sensei, 'Ken Adams')).toHaveLength(1)
})

test('without a waiver, or with two, the day goes into the private notes', async () => {
  for (const waiverCount of [0, 2]) {
    const sensei = await createDojo()
    for (let count = 0; count < waiverCount; count += 1) await publishDocument(sensei)
    await importSheet(sensei)
    expect(await countSignatures(sensei)).toBe(0)
    const { body } = await sensei.get(`/students/${await findStudentId(sensei, 'Ken Adams')}`)
    expect(body.private_notes).toContain('Waiver signed on: 2026-09-01')
  }
})
