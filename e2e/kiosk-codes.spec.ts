import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import { call } from './api.ts'
import { uniqueEmail } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { createKioskClass, enterPin, openKiosk, readPresentNames, scanCode } from './kiosk.ts'

const readCode = async ({ token }: { token: string }) =>
  (await call(kiosksApi.ownCode, {}, token)).code

test('checks in a family with one code and one tap, wherever the cursor is', async ({
  page,
  dojo,
}) => {
  const { classId, students } = await createKioskClass(dojo, [
    'Emma Johnson',
    'Ken Johnson',
    'Leo Johnson',
  ])
  const guest = await dojo.createStudent({ name: 'Mia Johnson', email: uniqueEmail('kid') })
  const mother = await createGuardian(dojo, [...students, guest])
  await openKiosk(page, dojo)
  await page.getByLabel('Type the first letters of your name').focus()
  await scanCode(page, await readCode(mother))
  await expect(page.getByRole('heading', { name: 'Who is here?' })).toBeVisible()
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(3)
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: 'Leo J.' }).click()
  await page.getByRole('button', { name: 'Check in 2' }).click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'Welcome, Emma and Ken!' }),
  ).toBeVisible()
  await expectAccessible(page)
  expect((await readPresentNames(dojo, classId)).toSorted()).toEqual([
    'Emma Johnson',
    'Ken Johnson',
  ])
  await page.getByRole('button', { name: 'Done' }).click()
  await scanCode(page, await readCode(mother))
  await expect(page.getByText('Checked in for Kids Karate')).toHaveCount(2)
  await page.getByRole('button', { name: 'Back' }).click()
  // A student's own code checks the student in without another tap.
  await scanCode(page, await readCode(await dojo.createSession(students[2]!)))
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Leo!' })).toBeVisible()
})

test('reads a code with the camera, even without a built-in reader in the browser', async ({
  page,
  dojo,
}) => {
  const { students } = await createKioskClass(dojo, ['Emma Johnson'])
  // A student has a code only if the dojo has a kiosk.
  await call(kiosksApi.create, { body: { name: 'Mat two' } }, dojo.token)
  const { qr } = await call(kiosksApi.ownCode, {}, (await dojo.createSession(students[0]!)).token)
  await page.addInitScript((picture) => {
    // Simulates a camera that sees a phone with the code.
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
    const code = Object.assign(new Image(), { src: picture })
    setInterval(() => {
      const camera = canvas.getContext('2d')!
      camera.fillStyle = '#7a6f66'
      camera.fillRect(0, 0, 640, 480)
      camera.drawImage(code, 190, 100, 260, 260)
    }, 50)
    Object.defineProperty(navigator, 'mediaDevices', {
      value: { getUserMedia: async () => canvas.captureStream() },
    })
  }, qr)
  await openKiosk(page, dojo)
  expect(await page.evaluate(() => 'BarcodeDetector' in window)).toBe(false)
  await page.getByRole('button', { name: 'Scan a code' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Emma!' })).toBeVisible()
})

test(
  'reports that it cannot use the camera or could not load the classes',
  { tag: '@long' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    await createKioskClass(dojo, [])
    await page.addInitScript(() => {
      const getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))
      Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia } })
    })
    await openKiosk(page, dojo)
    await page.getByRole('button', { name: 'Scan a code' }).click()
    await expect(page.getByRole('alert')).toContainText(
      'Allow it for this page in the browser, or use your PIN.',
    )
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page.getByRole('group', { name: 'PIN' })).toBeVisible()
    await page.evaluate(() => localStorage.removeItem('kiosk-state'))
    await page.route('**/api/**', (route) => route.abort('internetdisconnected'))
    await page.reload()
    await expect(page.getByText('Today’s classes could not be loaded.')).toBeVisible()
    await expectAccessible(page)
    await page.unroute('**/api/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Kids Karate' })).toBeVisible()
  },
)

test('allows the camera only on the kiosk page', async ({ request }) => {
  for (const [path, camera] of [
    ['/kiosk', '(self)'],
    ['/kiosks', '()'],
    ['/', '()'],
  ])
    expect((await request.get(path!)).headers()['permissions-policy']).toBe(
      `camera=${camera}, geolocation=(), microphone=()`,
    )
})

test(
  'works offline: greets students, keeps check-ins over a restart, and sends them later',
  { tag: '@long' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    const { classId, students } = await createKioskClass(dojo, ['Emma Johnson', 'Ken Johnson'])
    const mother = await createGuardian(dojo, students)
    await call(
      kiosksApi.setPin,
      { params: { id: students[0]!.id }, body: { pin: '4711' } },
      dojo.token,
    )
    const responsePromise = page.waitForResponse('**/api/kiosk/offline')
    await openKiosk(page, dojo)
    await (await responsePromise).finished()
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('kiosk-people') !== null))
      .toBe(true)
    // The tablet does not store names.
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/Emma|Johnson/)
    const code = await readCode(mother)
    await page.route('**/api/**', (route) => route.abort('internetdisconnected'))
    await enterPin(page, '4712')
    await expect(page.getByRole('alert')).toContainText('we don’t know this PIN')
    await enterPin(page, '4711')
    await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Emma!' })).toBeVisible()
    await expect(
      page.getByText('Saved here. We’ll send it when the network is back.'),
    ).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await scanCode(page, code)
    await page.getByRole('checkbox', { name: 'Emma J.' }).click()
    await page.getByRole('button', { name: 'Check in 1' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Ken!' })).toBeVisible()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText('2 waiting for network')).toBeVisible()
    await expectAccessible(page)
    expect(await readPresentNames(dojo, classId)).toEqual([])
    // A mistaken tap is canceled.
    await enterPin(page, '4711')
    await page.getByRole('button', { name: 'Not me' }).click()
    await expect(page.getByText('2 waiting for network')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Kids Karate' })).toBeVisible()
    await expect(page.getByText('2 waiting for network')).toBeVisible()
    await page.unroute('**/api/**')
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(page.getByText('Front door')).toBeVisible()
    await expect
      .poll(async () => (await readPresentNames(dojo, classId)).toSorted())
      .toEqual(['Emma Johnson', 'Ken Johnson'])
  },
)

test('students and guardians get a code and PINs if the dojo has a kiosk', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/422/)
  const { students } = await createKioskClass(dojo, ['Emma Johnson', 'Ken Johnson'])
  const [emma, ken] = students
  const mother = await createGuardian(dojo, [emma!, ken!])
  await signIn(page, mother)
  await visit('/dashboard')
  await expect(page.getByRole('region', { name: 'Your children' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Check-in code' })).toBeHidden()
  await call(kiosksApi.create, { body: { name: 'Front door' } }, dojo.token)
  await page.reload()
  await page.getByRole('button', { name: 'Check-in code' }).click()
  const sheet = page.getByRole('dialog', { name: 'Check in at the door' })
  await expect(sheet.getByRole('img', { name: 'QR code to check in with' })).toBeVisible()
  await expect(sheet.getByText('It works for your whole family.')).toBeVisible()
  await expectAccessible(page)
  const pinDialog = (name: string) =>
    page.getByRole('dialog', { name: `${name.split(' ')[0]}’s PIN` })
  const getPin = async (name: string, action = 'Get a PIN') => {
    await sheet.getByRole('button', { name: `${action}: ${name}` }).click()
    await pinDialog(name)
      .getByRole('button', { name: /^Get a (new )?PIN$/ })
      .click()
    const newPin = pinDialog(name).getByLabel(`${name.split(' ')[0]}’s PIN is`)
    await expect(newPin).toHaveText(/^\d{4}$/)
    return newPin.textContent()
  }
  const pin = await getPin('Emma Johnson')
  await expectAccessible(page)
  await pinDialog('Emma Johnson').getByRole('button', { name: 'Done' }).click()
  await expect(pinDialog('Emma Johnson')).toBeHidden()
  await expect(sheet.getByRole('button', { name: 'Change PIN: Emma Johnson' })).toBeVisible()
  expect(await getPin('Ken Johnson')).not.toBe(pin)
  await pinDialog('Ken Johnson').getByRole('button', { name: 'Done' }).click()
  expect(await getPin('Emma Johnson', 'Change PIN')).not.toBe(pin)
  await expectAccessible(page)
})
