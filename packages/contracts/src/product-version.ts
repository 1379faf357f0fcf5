/** As in package.json of the repository; a test compares them. */
export const productVersion = '1.0.0-rc.1'
