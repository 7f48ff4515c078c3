/** A key as the terminal tells it, or one character that was typed. */
export type Key =
  | {
      readonly name:
        | 'up'
        | 'down'
        | 'left'
        | 'right'
        | 'page-up'
        | 'page-down'
        | 'home'
        | 'end'
        | 'enter'
        | 'escape'
        | 'tab'
        | 'back-tab'
        | 'backspace'
        | 'delete'
        | 'ctrl-c'
        | 'ctrl-u'
    }
  | { readonly name: 'char'; readonly text: string }
