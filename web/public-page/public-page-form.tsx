import { Checkbox, NativeSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core'
import {
  type Language,
  type PublicPage,
  publicPageApi,
  publicPageForm,
} from '@tatami/contract/public-page/public-page'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import kit from '../ui/kit.module.css'

/** Sites are typed one per line. */
type FormValues = Record<
  'slug' | 'headline' | 'about' | 'bring' | 'address' | 'map_url' | 'phone' | 'allowed_sites',
  string
> & {
  is_on: boolean
  names_instructors: boolean
  language: Language
  bookings_per_hour: number | ''
  bookings_per_day: number | ''
}

const toValues = (page: PublicPage): FormValues => ({
  is_on: page.is_on,
  slug: page.slug,
  headline: page.headline ?? '',
  about: page.about ?? '',
  bring: page.bring ?? '',
  address: page.address ?? '',
  map_url: page.map_url ?? '',
  phone: page.phone ?? '',
  language: page.language,
  names_instructors: page.names_instructors,
  allowed_sites: page.allowed_sites.join('\n'),
  bookings_per_hour: page.bookings_per_hour,
  bookings_per_day: page.bookings_per_day,
})

const toBody = (values: FormValues) => ({
  ...values,
  allowed_sites: values.allowed_sites
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean),
  bookings_per_hour: Number(values.bookings_per_hour),
  bookings_per_day: Number(values.bookings_per_day),
})

function usePublicPageForm(page: PublicPage) {
  const [isSaved, setSaved] = useState(false)
  const form = useSchemaForm(
    publicPageForm,
    toValues(page),
    toBody,
    (path) => path.split('.', 1)[0] ?? path,
  )
  useDraft('public-page', form)
  const save = useEndpointMutation(publicPageApi.save, {
    refreshes: [publicPageApi.read],
    onSuccess: (savedPage) => {
      form.setInitialValues(toValues(savedPage))
      form.setValues(toValues(savedPage))
      setSaved(true)
    },
    onError: form.showRefusal,
  })
  const submit = form.send((body) => save.isPending || save.mutate({ body }))
  return { form, save, submit, isSaved: isSaved && !form.isDirty() }
}

export type PageForm = ReturnType<typeof usePublicPageForm>['form']

export function PublicPageForm({ page }: { page: PublicPage }) {
  const { form, save, submit, isSaved } = usePublicPageForm(page)
  return (
    <form noValidate onSubmit={submit} className={kit.stack}>
      <Switch
        size="md"
        label="Show the page to everybody"
        description="While it is off, the address leads to nothing"
        {...form.getInputProps('is_on', { type: 'checkbox' })}
      />
      <TextInput
        label="Address"
        description={`${page.link.slice(0, -page.slug.length)}… Earlier addresses keep working.`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...form.getInputProps('slug')}
      />
      <PageTexts form={form} />
      <PageOptions form={form} />
      <ErrorNotice>
        {save.isError && errorMessage(save.error, 'The page could not be saved. Please try again.')}
      </ErrorNotice>
      <div className={kit.row}>
        <BusyButton type="submit" busy={save.isPending} busyLabel="Saving...">
          Save
        </BusyButton>
        <span role="status" className={kit.green}>
          {isSaved && 'Saved'}
        </span>
      </div>
    </form>
  )
}

const PageTexts = ({ form }: { form: PageForm }) => (
  <>
    <TextInput
      label="Headline"
      placeholder="Judo for the whole family"
      autoComplete="off"
      {...form.getInputProps('headline')}
    />
    <Textarea
      label="About your school"
      autosize
      minRows={3}
      maxRows={12}
      {...form.getInputProps('about')}
    />
    <Textarea
      label="What to bring"
      description="For people who come for the first time"
      autosize
      minRows={2}
      maxRows={8}
      {...form.getInputProps('bring')}
    />
    <div className={kit.fieldPair}>
      <TextInput
        label="Street address"
        description="Everybody can see it"
        autoComplete="off"
        {...form.getInputProps('address')}
      />
      <TextInput
        label="Phone number"
        description="Everybody can see it"
        type="tel"
        autoComplete="off"
        {...form.getInputProps('phone')}
      />
    </div>
    <TextInput
      label="Map link"
      description="For example from Google Maps"
      type="url"
      autoComplete="off"
      {...form.getInputProps('map_url')}
    />
  </>
)

const LANGUAGE_CHOICES = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Spanish' },
]

const PageOptions = ({ form }: { form: PageForm }) => (
  <>
    <NativeSelect
      label="Language of your texts"
      description="The rest of the page is in the visitor’s language"
      data={LANGUAGE_CHOICES}
      {...form.getInputProps('language')}
    />
    <Checkbox
      size="md"
      label="Show the names of substitute teachers"
      {...form.getInputProps('names_instructors', { type: 'checkbox' })}
    />
    <Textarea
      label="Sites that may show the booking form"
      description="One per line, such as https://www.example.com"
      autosize
      minRows={2}
      maxRows={8}
      autoCapitalize="none"
      spellCheck={false}
      {...form.getInputProps('allowed_sites')}
    />
    <LimitFields form={form} />
  </>
)

const LIMITS = [
  {
    field: 'bookings_per_hour',
    label: 'Trials per person and hour',
    description: 'Keeps programs from booking',
  },
  {
    field: 'bookings_per_day',
    label: 'Trials per day',
    description: 'You approve the ones after that',
  },
] as const

const LimitFields = ({ form }: { form: PageForm }) => (
  <div className={kit.fieldPair}>
    {LIMITS.map(({ field, label, description }) => (
      <NumberInput
        key={field}
        label={label}
        description={description}
        hideControls
        allowDecimal={false}
        allowNegative={false}
        inputMode="numeric"
        {...form.getInputProps(field)}
      />
    ))}
  </div>
)
