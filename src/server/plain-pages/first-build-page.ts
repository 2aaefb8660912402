import { firstBuildPage } from '../../messages/server/requests.ts'
import { plainPage } from './plain-page.ts'

/** Time between requests of the page. */
export const FIRST_BUILD_REFRESH_SECONDS = '2'

/** The page that visitors see until there is a site. Its `refresh` header shows the site once it is built. */
export const FIRST_BUILD_PAGE = plainPage(firstBuildPage)
