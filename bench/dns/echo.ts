import { createSocket } from 'node:dgram';

/**
 * The minimum that Node does for a datagram: returns it with the bits of an answer. Its rate is the upper limit for a server that reads
 * datagrams one by one.
 */
const socket = createSocket({
  type: 'udp4',
  recvBufferSize: 4 * 1024 * 1024,
  lookup: (address, _options, found) => found(null, address, 4),
});
socket.on('message', (request, from) => {
  request[2]! |= 0x84;
  socket.send(request, from.port, from.address);
});
socket.bind(0, '127.0.0.1', () => console.log(socket.address().port));
