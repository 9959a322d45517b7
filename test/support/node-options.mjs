/** As `npm start` and the image call Node: only so does a start take what the build compiled of the program. */
export const NODE_OPTIONS = ['--v8-pool-size=1', '--max-semi-space-size=16', '--max-old-space-size=1024'];
