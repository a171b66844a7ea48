import { Fragment } from 'react'

/** Allows a line break before the @ and after each dot to the left of it. */
export const EmailText = ({ address }: { address: string }) =>
  address.split(/(?=@)|(?<=\.)(?=.*@)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
