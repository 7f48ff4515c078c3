import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  /** 0 if the connection was closed without a response. */
  readonly status: number
  readonly text: string
}

/** Sends raw bytes and returns everything received until the other side closes. */
export function raw(port: number, bytes: string, host = '127.0.0.1'): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ host, port }, () => socket.write(bytes))
    const answer = (): void => {
      socket.destroy()
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text })
    }
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part
      if (isWhole(text)) answer()
    })
    socket.on('close', answer)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error)
      else answer()
    })
  })
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? -1)
  return length >= 0 && Buffer.byteLength(text.slice(end + 4), 'latin1') >= length
}

export function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Resolves when the other side has closed the connection. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve()
    socket.once('close', () => resolve())
    socket.on('error', () => {})
    socket.resume()
  })
}
