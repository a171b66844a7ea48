import { expect, test } from 'vitest'
import { isRoleEmail, isPlaceholderEmail } from './names-and-contacts.ts'

const LOCAL_PARTS = `declined changeme getemail get.email dontknow dont_know refused update
  update-me nope temp guest walkin walk-in default anon unavailable not.given
  notavailable none1 noemail2 addemail needs.email ask.for.email missingemail
  enter-email student unsure idk todo withheld wrong.email`

test('recognizes placeholder emails at any provider', () => {
  const addresses = LOCAL_PARTS.split(/\s+/).map((localPart) => `${localPart}@gmail.com`)
  expect(addresses.filter((address) => !isPlaceholderEmail(address))).toEqual([])
})

test('treats the same word on both sides of the @ as a placeholder, unless it is a name', () => {
  const addresses =
    'x@x.com ask@ask.com ne@ne.com parent@parent.com mom@mom.com mom2@mom.com zz@zz.net'.split(' ')
  expect(addresses.filter((address) => !isPlaceholderEmail(address, ['Ken Adams']))).toEqual([])
  expect(isPlaceholderEmail('adams@adams.com', ['Ken Adams'])).toBe(false)
  expect(isPlaceholderEmail('adams@adams.com', ['Ken Poe'])).toBe(true)
})

test('accepts emails of people and families', () => {
  const addresses = `ann@example.com noone.kate@gmail.com nora@gmail.com noah.adams@gmail.com
    mom@adamsfamily.com nope.ruiz@gmail.com askew@gmail.com guestrow@gmail.com
    updike@gmail.com tempest@gmail.com getty@gmail.com needham@gmail.com
    adelaide.mead@gmail.com x.lee@gmail.com mailer@mailer-house.com
    declan@gmail.com`
  expect(addresses.split(/\s+/).filter((address) => isPlaceholderEmail(address))).toEqual([])
})

test('recognizes emails of instructors and offices', () => {
  const addresses = 'sensei@ourdojo.com front.desk@ourdojo.com coach2@ourdojo.com'.split(' ')
  expect(addresses.filter((address) => !isRoleEmail(address))).toEqual([])
})
