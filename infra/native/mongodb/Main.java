import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.util.List;

/**
 * A MongoDB-compatible stand-in for tests on machines where MongoDB itself can't be had: mongo-java-server on an H2 file.
 * It is no MongoDB. It has no sessions and no transactions, survives being killed but not a power cut, and its atomicity is
 * that of the lock below, so nothing seen against it is evidence about MongoDB.
 */
public final class Main {
  /** Current drivers refuse a server that speaks an older protocol than this. */
  private static final class Claims implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(4, 4, 0);
    }

    @Override
    public int getWireVersion() {
      return 9;
    }
  }

  /**
   * One message at a time, and answers that share nothing with the store. Otherwise the document an update returns is still
   * the stored one while it is written to the wire, and shows what a later update made of it.
   */
  private static final class Isolated extends H2Backend {
    Isolated(String file) {
      super(file);
    }

    @Override
    public synchronized Document handleMessage(MongoMessage message) {
      Document answer = super.handleMessage(message);
      try {
        // What is acknowledged is in the file, out of reach of whatever becomes of this process.
        commit();
      } catch (RuntimeException failure) {
        // The disk is full, or gone. Like MongoDB, it ends rather than go on with what it can't keep.
        failure.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
      return answer == null ? null : answer.cloneDeeply();
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    int port = Integer.parseInt(arguments[0]);
    MongoServer server = new MongoServer(new Isolated(arguments[1]).version(new Claims()));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));
    server.bind("127.0.0.1", port);
    Thread.currentThread().join();
  }
}
