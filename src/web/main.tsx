/**
 * The page: sessions as trees of turns, to undo, redo and switch. It knows only what the server
 * sends, changes sessions only through the server's plans and operations, and renders everything
 * from transcripts as text.
 */
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Tooltip } from 'radix-ui'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { connectWith } from './connection/connection.ts'
import { follow } from './connection/follow.ts'
import { askEarly, queries } from './connection/queries.ts'
import { launch, reloadOnSignIn, renewToken } from './connection/token.ts'
import { SignInNeeded } from './frame/sign-in-needed.tsx'
import { followTheme } from './preferences.ts'
import { makeRouter } from './router.tsx'
import './styles.css'

followTheme()
const root = createRoot(document.getElementById('root')!)
const launched = await launch()
if (launched.kind === 'ready') {
  connectWith(launched.token, renewToken)
  // Subscribe first, or a change between an answer and the subscription is missed.
  void follow()
  askEarly(location.pathname)
  root.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Tooltip.Provider delayDuration={350}>
          <RouterProvider router={makeRouter()} />
        </Tooltip.Provider>
      </QueryClientProvider>
    </StrictMode>,
  )
} else {
  reloadOnSignIn()
  root.render(<SignInNeeded failure={launched.kind === 'refused' ? launched.failure : null} />)
}
