import type { LeadDetails } from '@tatami/contract/leads/leads'

type VisitorValues = { name: string; age: string }

export const toLeadValues = (lead?: LeadDetails) => ({
  name: lead?.name ?? '',
  phone: lead?.phone ?? '',
  email: lead?.email ?? '',
  is_visitor: lead ? lead.visitors.some(({ name }) => name === lead.name) : true,
  age: `${lead?.visitors.find(({ name }) => name === lead.name)?.age ?? ''}`,
  children: (lead?.visitors ?? [])
    .filter(({ name }) => name !== lead?.name)
    .map(({ name, age }): VisitorValues => ({ name, age: `${age ?? ''}` })),
  interest: lead?.interest ?? '',
  source: lead?.source ?? '',
  note: '',
})
export type LeadValues = ReturnType<typeof toLeadValues>

const toAge = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** Empty rows of children are left out. */
export const toLeadBody = ({ is_visitor, age, children, ...values }: LeadValues) => ({
  name: values.name,
  phone: values.phone,
  email: values.email,
  interest: values.interest,
  source: values.source,
  visitors: [
    ...(is_visitor ? [{ name: values.name, age: toAge(age) }] : []),
    ...children
      .filter(({ name }) => name.trim() !== '')
      .map((child) => ({ name: child.name, age: toAge(child.age) })),
  ],
})

export const toNewLeadBody = (values: LeadValues) => ({ ...toLeadBody(values), note: values.note })
