import pretty from 'pino-pretty'

type LogFields = {
  msg?: string
  req?: { method: string; path: string }
  res?: { statusCode: number }
  responseTime?: number
}

function formatMessage({ msg = '', req, res, responseTime }: LogFields): string {
  if (!req) return msg
  const outcome = res ? ` ${res.statusCode} in ${Math.round(responseTime ?? 0)} ms` : ''
  return `${msg}: ${req.method} ${req.path}${outcome}`
}

/** Formats the log for a terminal. Outside of a terminal, the log is JSON. */
export const createTerminalLog = (destination: NodeJS.WritableStream = process.stdout) =>
  pretty({
    colorize: true,
    ignore: 'pid,hostname,reqId,req,res,responseTime',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    messageFormat: formatMessage as pretty.MessageFormatFunc,
    destination,
  })
