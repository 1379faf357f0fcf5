#!/bin/bash
exec java -XX:TieredStopAtLevel=1 -cp '/opt/kafka/libs/*' org.apache.kafka.tools.consumer.group.ConsumerGroupCommand "$@"
