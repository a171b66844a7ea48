import { addDays, utcDay, yearOf } from '@tatami/contract/lib/calendar-day'
import { grantEverything } from './grant-everything.ts'
import { endpoints } from '@tatami/contract/api'
import { type Endpoint, ROLES_BY_ACCESS } from '@tatami/contract/lib/endpoint'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { guardianPhones } from '../guardians/tables.ts'
import { unzipTexts } from './files.ts'
import { SAMPLE_PICTURE } from './sample-picture.ts'
import { startTestServer } from './test-server.ts'
import { idFields } from './valid-requests.ts'

/** There are two dojos, in Austin and Boston. Each has two guardians, Ann and Ben, and the children
 *  Leo, Mia and Ana. The tests make every call as Ann of Austin, with each right of her link to Leo
 *  on and off, and with the ids of other people. Ann's link to Mia has ended, and she never had one
 *  to Ana. */
const server = await startTestServer()

async function createDojo(city: string) {
  const sensei = await server.createSensei({ dojo_name: `Dojo of ${city}`, city })
  const kidsClass = await server.createClass(sensei)
  const createChild = (name: string, phone_number: string) =>
    server.createStudent(sensei, {
      name: `${name} ${city}`,
      phone_number,
      enrolled_classes: [kidsClass.id],
      emergency_contact_name: `Gran of ${name}`,
    })
  const leo = await createChild('Leo', '512 555 0101')
  const mia = await createChild('Mia', '512 555 0102')
  const ana = await createChild('Ana', '512 555 0103')
  const ann = await server.createGuardian(sensei, [leo, mia], {
    name: `Ann ${city}`,
    phone: '512 555 0111',
  })
  const ben = await server.createGuardian(sensei, [mia, ana], {
    name: `Ben ${city}`,
    phone: '512 555 0112',
  })
  await sensei.delete(`/guardians/${ann.id}/students/${mia.id}`)
  for (const { id } of [leo, mia, ana]) {
    await sensei.post('/attendance', {
      student_id: id,
      class_id: kidsClass.id,
      class_date: '2026-03-02',
      present: true,
    })
    await sensei.post('/payment-records', {
      student_id: id,
      payment_month: 2,
      payment_year: 2026,
      payment_status: 'paid',
    })
  }
  return { sensei, kidsClass, leo, mia, ana, ann, ben }
}
const austin = await createDojo('Austin')
const boston = await createDojo('Boston')
const { sensei, leo, mia, ana, ann, ben } = austin

const RIGHTS = ['sees', 'sees_fees', 'gets_texts', 'pays', 'may_edit', 'picks_up'] as const
type Rights = Record<(typeof RIGHTS)[number], boolean>
/** Every combination of rights. Each bit of the index says whether one right is on. */
const COMBINATIONS = Array.from(
  { length: 2 ** RIGHTS.length },
  (_, bits) =>
    Object.fromEntries(
      RIGHTS.map((right, index) => [right, Boolean(bits & (1 << index))]),
    ) as Rights,
)
/** `npm test` tries all rights, all rights except one, and only `sees`. The long run tries every
 *  combination. */
const COMBINATIONS_TO_TRY = COMBINATIONS.filter((rights) => {
  const count = RIGHTS.filter((right) => rights[right]).length
  return process.env.LONG || count >= RIGHTS.length - 1 || (count === 1 && rights.sees)
})
const describeRights = (rights: Rights) =>
  RIGHTS.filter((right) => rights[right]).join(', ') || 'no rights'
const setRights = async (rights: Rights) =>
  expect(
    (
      await sensei.put(`/guardians/${ann.id}/students/${leo.id}`, {
        ...rights,
        note: 'A note for instructors',
      })
    ).status,
  ).toBe(200)

/** The ids, names and emails of people other than Ann and Leo. */
const FOREIGN_IDENTITIES = [
  mia,
  ana,
  ben,
  boston.leo,
  boston.mia,
  boston.ana,
  boston.ann,
  boston.ben,
].flatMap(({ id, name, email }) => [id, name, email])
/** Texts that Ann never sees, whatever her rights. */
const SECRETS = [
  ...FOREIGN_IDENTITIES,
  '512 555 0102',
  '512 555 0103',
  '512 555 0112',
  'Gran of Mia',
  'Gran of Ana',
  'A note for instructors',
]
const FOREIGN_IDS = [
  mia.id,
  ana.id,
  boston.leo.id,
  boston.mia.id,
  boston.ana.id,
  ben.id,
  boston.ann.id,
  sensei.id,
  newId(),
]

/** Makes a call as Ann. Fails if the response contains a secret. */
const getAndExpectNoSecrets = async (path: string) => {
  const response = await ann.get(path)
  const bodyText = JSON.stringify(response.body)
  expect(SECRETS.filter((secret) => bodyText.includes(secret))).toEqual([])
  return response
}
const contact = {
  phone_number: '512 555 0101',
  emergency_contact_name: 'Gran of Leo',
  emergency_contact_phone: '512 555 0143',
}

describe.each(COMBINATIONS_TO_TRY.map((rights) => [describeRights(rights), rights] as const))(
  'a guardian with %s',
  (_, rights) => {
    test('can do for their own child what the rights allow, and nothing for other children', async () => {
      await setRights(rights)
      const { children, total } = (await getAndExpectNoSecrets('/family/home')).body
      const visibleIds = rights.sees ? [leo.id] : []
      expect(children.map(({ id }: { id: string }) => id)).toEqual(visibleIds)
      if (rights.sees) {
        expect(children[0].fees).toEqual(
          rights.sees_fees ? expect.objectContaining({ pays: rights.pays }) : null,
        )
        expect(children[0].contact).toEqual(rights.may_edit ? contact : null)
      }
      expect(total === null).toBe(!(rights.sees && rights.sees_fees && rights.pays))
      expect(
        (await getAndExpectNoSecrets('/profile')).body.students.map(({ id }: { id: string }) => id),
      ).toEqual(visibleIds)
      expect(
        (await getAndExpectNoSecrets('/attendance')).body.map(
          ({ student_id }: { student_id: string }) => student_id,
        ),
      ).toEqual(visibleIds)

      const expectedStatus = rights.sees ? 200 : 404
      expect((await getAndExpectNoSecrets(`/family/home?student_id=${leo.id}`)).status).toBe(
        expectedStatus,
      )
      expect((await getAndExpectNoSecrets(`/attendance?student_id=${leo.id}`)).status).toBe(
        expectedStatus,
      )
      expect((await ann.put(`/family/students/${leo.id}/contact`, contact)).status).toBe(
        rights.sees && !rights.may_edit ? 403 : expectedStatus,
      )
      expect((await ann.put(`/students/${leo.id}/photo`, { picture: SAMPLE_PICTURE })).status).toBe(
        rights.sees && !rights.may_edit ? 403 : expectedStatus,
      )
      expect(
        (await ann.put(`/family/students/${leo.id}/log-in`, { is_allowed: false })).status,
      ).toBe(expectedStatus)

      const file = await ann.post(`/family/students/${leo.id}/export`)
      expect(file.status).toBe(expectedStatus)
      if (rights.sees) {
        const files = unzipTexts(file.body)
        expect(SECRETS.filter((secret) => JSON.stringify(files).includes(secret))).toEqual([])
        expect([
          files['payments.csv'] !== undefined && files['ledger.csv'] !== undefined,
          files['student.csv']!.includes('Gran of Leo'),
        ]).toEqual([rights.sees_fees, rights.may_edit])
      }

      const paymentRows = (
        await getAndExpectNoSecrets(`/family/payments?year=${yearOf(utcDay(new Date()))}`)
      ).body
      expect(paymentRows).toHaveLength(rights.sees && rights.sees_fees ? 1 : 0)
      const miasAccount = (await sensei.get(`/students/${mia.id}/account`)).body
      for (const { act_id } of miasAccount.lines)
        expect((await ann.post('/receipts', { act_id })).status).toBe(404)
      expect((await getAndExpectNoSecrets('/family/messages')).status).toBe(200)

      for (const id of FOREIGN_IDS) {
        const responses = [
          await ann.get(`/family/home?student_id=${id}`),
          await ann.get(`/attendance?student_id=${id}`),
          await ann.put(`/family/students/${id}/contact`, contact),
          await ann.put(`/students/${id}/photo`, { picture: SAMPLE_PICTURE }),
          await ann.delete(`/students/${id}/photo`),
          await ann.put(`/family/students/${id}/log-in`, { is_allowed: true }),
          await ann.post(`/family/students/${id}/export`),
        ]
        expect(responses.map(({ status, body }) => [status, body])).toEqual(
          responses.map(() => [404, { detail: 'Student not found' }]),
        )
      }
    })

    test('gets notifications about the child only if they may see the child', async () => {
      await setRights(rights)
      const title = `Notice ${newId()}`
      await sensei.post('/notifications/send', { title, message: 'Hi {name}, bring water.' })
      const messages = (await getAndExpectNoSecrets('/notifications')).body
        .filter((notice: { title: string }) => notice.title === title)
        .map(({ message }: { message: string }) => message)
      expect(messages).toEqual(rights.sees ? ['Hi Leo, bring water.'] : [])
      const announcements = (await getAndExpectNoSecrets('/announcements')).body.filter(
        (notice: { title: string }) => notice.title === title,
      )
      expect(announcements).toHaveLength(rights.sees ? 1 : 0)
      const otherNotices = (await ben.get('/notifications')).body.filter(
        (notice: { title: string }) => notice.title === title,
      )
      expect(otherNotices.map(({ message }: { message: string }) => message)).toEqual([
        'Hi Mia and Ana, bring water.',
      ])
    })
  },
)

const ALL_RIGHTS: Rights = {
  sees: true,
  sees_fees: true,
  gets_texts: true,
  pays: true,
  may_edit: true,
  picks_up: true,
}
const calls = endpoints.map(
  (endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const,
)
const admitsGuardians = ({ access }: Endpoint) =>
  access !== 'public' && (ROLES_BY_ACCESS[access] as readonly string[]).includes('guardian')

test.each(calls.filter(([, { access }]) => access !== 'public' && access !== 'signed-in'))(
  '%s reveals no other children to a guardian who has every right',
  async (_, endpoint) => {
    await setRights(ALL_RIGHTS)
    const targetFields = idFields(endpoint).filter(
      ({ field, part }) =>
        part !== 'body' && (/student/i.test(field) || endpoint.path.includes('student')),
    )
    for (const id of targetFields.length > 0 ? FOREIGN_IDS : [newId()]) {
      const url = `/api${endpoint.path.replaceAll(/:\w+/g, id)}`
      const query = Object.fromEntries(
        targetFields.filter(({ part }) => part === 'query').map(({ field }) => [field, id]),
      )
      const response = await server.http.inject({
        method: endpoint.method,
        url,
        query,
        headers: { authorization: `Bearer ${ann.token}` },
        ...(endpoint.body && { payload: {} }),
      })
      expect(
        SECRETS.filter((secret) => secret !== id && response.payload.includes(secret)),
      ).toEqual([])
      if (!admitsGuardians(endpoint)) expect(response.statusCode).toBe(403)
      else if (targetFields.length > 0) expect([404, 422]).toContain(response.statusCode)
    }
  },
)

test('no guardian gets a response that was cached for another person', async () => {
  await setRights(ALL_RIGHTS)
  const paths = [
    '/profile',
    '/family/home',
    '/attendance',
    '/announcements',
    '/notifications',
    '/notifications/unread-count',
    '/classes',
  ]
  const people = [ann, ben, leo, boston.ann, boston.ben]
  for (const path of paths) {
    const singleResponses = []
    for (const person of people) singleResponses.push(JSON.stringify((await person.get(path)).body))
    const parallelResponses = await Promise.all(
      [...people, ...people].map(async (person) => JSON.stringify((await person.get(path)).body)),
    )
    expect(parallelResponses).toEqual([...singleResponses, ...singleResponses])
    expect(singleResponses[0]).not.toContain('Boston')
    expect(singleResponses[3]).not.toContain('Austin')
  }
  // The server caches the student list for instructors, and must not send it to other people.
  expect((await sensei.get('/students')).status).toBe(200)
  for (const person of people) expect((await person.get('/students')).status).toBe(403)
})

test('prices, contacts and excuses do not reveal the child’s other guardian', async () => {
  const dojo = await createDojo('Waco')
  const link = { student_id: dojo.ana.id, sees_fees: true, may_edit: true }
  const cy = await server.createGuardian(dojo.sensei, [], {
    name: 'Cy Waco',
    phone: '512 555 0113',
    students: [link],
  })
  // Ben pays for two children and is Ana's emergency contact.
  await dojo.sensei.put('/sibling-prices', {
    ordered_by: 'highest_fee',
    prices: [{ nth: 2, percent: 10, amount_off: null }],
  })
  for (const { id } of [dojo.mia, dojo.ana])
    await dojo.sensei.put(`/guardians/${dojo.ben.id}/students/${id}`, {
      pays: true,
      sees_fees: true,
      may_edit: true,
    })
  const benAsContact = {
    emergency_contact_name: 'Ben Waco',
    emergency_contact_phone: '(512) 555-0112',
  }
  await dojo.sensei.put(`/students/${dojo.ana.id}`, { ...dojo.ana, ...benAsContact })
  const day = addDays(utcDay(new Date()), 2)
  await dojo.sensei.post('/excuses', {
    student_id: dojo.ana.id,
    class_id: dojo.kidsClass.id,
    class_date: day,
  })
  await grantEverything(server)
  await server.db.inDojo(dojo.sensei.dojoId, (tx) =>
    tx.execute(sql`update excuses set source = 'guardian', created_by = ${dojo.ben.id}`),
  )

  const readAnaAs = async (person: typeof cy) =>
    (await person.get('/family/home')).body.children.find(
      ({ id }: { id: string }) => id === dojo.ana.id,
    )
  const readExcuseSourcesAs = async (person: typeof cy) =>
    (await person.get('/excuses')).body.map(({ source }: { source: string }) => source)
  const anaSeenByCy = await readAnaAs(cy)
  expect(anaSeenByCy.contact).toEqual({
    phone_number: '512 555 0103',
    emergency_contact_name: null,
    emergency_contact_phone: null,
  })
  expect(anaSeenByCy.fees).toMatchObject({ pays: false, price_reason: null })
  expect(await readExcuseSourcesAs(cy)).toEqual(['family'])
  expect(JSON.stringify(anaSeenByCy)).not.toMatch(/Ben|555\D?0112|2nd of/)
  const anaSeenByBen = await readAnaAs(dojo.ben)
  expect([
    anaSeenByBen.contact,
    anaSeenByBen.fees.price_reason !== null ||
      (await readPriceReason(dojo.ben, dojo.mia.id)) !== null,
  ]).toEqual([{ phone_number: '512 555 0103', ...benAsContact }, true])
  // Empty fields do not delete the hidden contact, but a new contact replaces it.
  const changeContact = (body: object) => cy.put(`/family/students/${dojo.ana.id}/contact`, body)
  await changeContact({
    phone_number: '512 555 0109',
    emergency_contact_name: '',
    emergency_contact_phone: '',
  })
  expect((await readAnaAs(dojo.ben)).contact).toEqual({
    phone_number: '512 555 0109',
    ...benAsContact,
  })
  await changeContact(contact)
  expect((await readAnaAs(cy)).contact).toEqual(contact)
})

const readPriceReason = async (person: typeof ann, id: string) =>
  (await person.get('/family/home')).body.children.find((child: { id: string }) => child.id === id)
    .fees.price_reason

test('a guardian does not see a child’s phone number that belongs to another guardian', async () => {
  const dojo = await createDojo('Hugo')
  const rights = { student_id: dojo.ana.id, sees_fees: true, may_edit: true }
  const cy = await server.createGuardian(dojo.sensei, [], {
    name: 'Cy Hugo',
    phone: '512 555 0113',
    students: [rights],
  })
  await dojo.sensei.put(`/guardians/${dojo.ben.id}/students/${dojo.ana.id}`, { may_edit: true })
  const benContact = {
    phone_number: '512-555-0112',
    emergency_contact_name: 'Ben at work',
    emergency_contact_phone: '512 555 0119',
  }
  await dojo.sensei.put(`/students/${dojo.ana.id}`, { ...dojo.ana, ...benContact })
  await server.db.inDojo(dojo.sensei.dojoId, (tx) =>
    tx.insert(guardianPhones).values({ phone: '+15125550119', guardian_id: dojo.ben.id }),
  )
  const readContactAs = async (person: typeof cy) =>
    (await person.get('/family/home')).body.children.find(
      ({ id }: { id: string }) => id === dojo.ana.id,
    ).contact
  const hiddenContact = {
    phone_number: null,
    emergency_contact_name: null,
    emergency_contact_phone: null,
  }
  expect(await readContactAs(cy)).toEqual(hiddenContact)
  expect(await readContactAs(dojo.ben)).toEqual(benContact)
  const emptyContact = {
    phone_number: '',
    emergency_contact_name: '',
    emergency_contact_phone: '',
  }
  expect((await cy.put(`/family/students/${dojo.ana.id}/contact`, emptyContact)).status).toBe(200)
  expect(await readContactAs(dojo.ben)).toEqual(benContact)
  // A phone number that both guardians have is not a secret.
  await dojo.sensei.put(`/guardians/${cy.id}`, { phone: '(512) 555-0112' })
  expect(await readContactAs(cy)).toEqual({ ...hiddenContact, phone_number: '512-555-0112' })
})

test('a guardian who may no longer see a child loses the notifications about the child', async () => {
  const dojo = await createDojo('Paris')
  const link = { student_id: dojo.mia.id }
  const cy = await server.createGuardian(dojo.sensei, [], {
    name: 'Cy Paris',
    students: [link, { student_id: dojo.leo.id }],
  })
  for (const student of [dojo.leo, dojo.mia])
    await dojo.sensei.put(`/students/${student.id}`, { ...student, belt_level: 'orange' })
  const readMessages = async (person: Pick<typeof ann, 'get'>) =>
    (await person.get('/notifications')).body
      .map(({ message }: { message: string }) => message)
      .toSorted()
  const leoMessage = 'Leo now wears the orange belt.'
  const miaMessage = 'Mia now wears the orange belt.'
  expect([
    await readMessages(dojo.ann),
    await readMessages(dojo.ben),
    await readMessages(cy),
  ]).toEqual([[leoMessage], [miaMessage], [leoMessage, miaMessage]])
  await dojo.sensei.put(`/guardians/${cy.id}/students/${dojo.mia.id}`, { sees: false })
  expect([await readMessages(cy), await readMessages(dojo.ben)]).toEqual([
    [leoMessage],
    [miaMessage],
  ])
  await dojo.sensei.delete(`/guardians/${cy.id}/students/${dojo.leo.id}`)
  expect([
    await readMessages(cy),
    await readMessages(dojo.ann),
    await readMessages(dojo.leo),
  ]).toEqual([[], [leoMessage], ['You now wear the orange belt.']])
})
