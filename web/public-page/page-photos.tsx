import { TextInput } from '@mantine/core'
import { MAX_SIDE_PIXELS } from '@tatami/contract/pictures/pictures'
import {
  MAX_PAGE_PHOTOS,
  type PagePhoto,
  publicPageApi,
} from '@tatami/contract/public-page/public-page'
import { type SyntheticEvent, useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { ChoosePicture } from '../pictures/choose-picture.tsx'
import { toJpeg, toPreviewUrl } from '../pictures/picture-file.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import kit from '../ui/kit.module.css'
import styles from './page-photos.module.css'

/** The page shows up to three photos side by side, so half the size is sharp enough. */
const SMALL_SIDE_PIXELS = MAX_SIDE_PIXELS / 2

/** The photos of the public page. */
export function PagePhotos({ photos }: { photos: readonly PagePhoto[] }) {
  const [picture, setPicture] = useState<HTMLCanvasElement | null>(null)
  return (
    <Panel title="Photos">
      <div className={kit.stack}>
        {photos.length > 0 && (
          <ul className={styles.photos}>
            {photos.map((photo) => (
              <PhotoItem key={photo.id} photo={photo} />
            ))}
          </ul>
        )}
        {photos.length < MAX_PAGE_PHOTOS ? (
          <ChoosePicture label="Add a photo" onPicture={setPicture} />
        ) : (
          <p className={kit.note}>Remove a photo to add another one.</p>
        )}
        <p className={kit.note}>
          Everybody can see these photos. Ask the people in them first. Where they were taken is
          removed.
        </p>
      </div>
      {picture && <NewPhotoDialog picture={picture} onClose={() => setPicture(null)} />}
    </Panel>
  )
}

function PhotoItem({ photo: { id, caption, small_address } }: { photo: PagePhoto }) {
  const remove = useEndpointMutation(publicPageApi.removePhoto, {
    refreshes: [publicPageApi.read],
    waitsForRefresh: true,
  })
  return (
    <li className={kit.stackTight}>
      <img className={styles.photo} src={small_address} alt={caption} loading="lazy" />
      <BusyButton
        variant="default"
        busy={remove.isPending}
        busyLabel="Removing..."
        onClick={() => remove.mutate({ params: { id } })}
      >
        Remove<VisuallyHidden>{` ${caption}`}</VisuallyHidden>
      </BusyButton>
      <ErrorNotice>
        {failureMessage(remove, 'The photo could not be removed. Please try again.')}
      </ErrorNotice>
    </li>
  )
}

type DialogProps = { picture: HTMLCanvasElement; onClose: () => void }

function NewPhotoDialog({ picture, onClose }: DialogProps) {
  const [caption, setCaption] = useState('')
  const [preview] = useState(() => toPreviewUrl(picture))
  const add = useEndpointMutation(publicPageApi.addPhoto, {
    refreshes: [publicPageApi.read],
    waitsForRefresh: true,
    onSuccess: onClose,
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (add.isPending) return
    const body = {
      picture: toJpeg(picture),
      small_picture: toJpeg(picture, SMALL_SIDE_PIXELS),
      caption,
    }
    add.mutate({ body })
  }
  return (
    <FormDialog
      title="Add a photo"
      onClose={onClose}
      isDirty
      onSubmit={submit}
      busy={add.isPending}
      error={failureMessage(add, 'The photo could not be saved. Please try again.')}
      submitLabel="Add photo"
      busyLabel="Saving..."
    >
      <img className={styles.photo} src={preview} alt="" />
      <TextInput
        label="What the photo shows"
        description="For people who can’t see it"
        placeholder="Children on the mat"
        required
        maxLength={120}
        autoComplete="off"
        value={caption}
        onChange={({ currentTarget }) => setCaption(currentTarget.value)}
      />
    </FormDialog>
  )
}
