/** Version of the product: that of package.json of the repository, which a test compares. */
export const productVersion = '1.0.0-rc.1'
