/** Version of the product: that of package.json of the repository, which a test compares. */
export const productVersion = '0.1.0'
