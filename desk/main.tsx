/** The desk: a page on which people decide. Everything it shows and does goes through the API, with the keys given at sign-in. */

import './desk.css'
import { render } from 'preact'
import { Desk } from './desk'

render(<Desk />, document.getElementById('desk') as HTMLElement)
